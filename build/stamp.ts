import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTrustKeys } from '@fenestra/releases';
import * as z from 'zod';
import type { BuildInfo } from '../apps/fenestra/src/build-info.ts';

const ROOT = join(import.meta.dirname, '..');
const Manifest = z.object({ version: z.string() });

/** What the executable knows of its origin. It comes from the commit and the trusted keys alone, so the same of both give the same bytes. */
export function buildStamp(): BuildInfo {
  const { version } = Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const changed = git(['status', '--porcelain']) === '' ? '' : '-changed';
  return {
    version,
    commit: `${git(['rev-parse', '--short=12', 'HEAD'])}${changed}`,
    commitTime: new Date(git(['log', '-1', '--format=%cI'])).toISOString(),
    trustKeys: trustKeys(process.env['FENESTRA_TRUST_KEY']),
  };
}

/** The keys that the executable trusts from birth, from a file the builder names. */
function trustKeys(file: string | undefined): readonly string[] {
  return file === undefined ? [] : parseTrustKeys(readFileSync(file, 'utf8'), file);
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
