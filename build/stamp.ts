import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const Manifest = z.object({ version: z.string() });

/** What the executable knows of its origin. It comes from the commit alone, so the same commit gives the same bytes. */
export function buildStamp(): { version: string; commit: string; commitTime: string } {
  const { version } = Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const changed = git(['status', '--porcelain']) === '' ? '' : '-changed';
  return {
    version,
    commit: `${git(['rev-parse', '--short=12', 'HEAD'])}${changed}`,
    commitTime: new Date(git(['log', '-1', '--format=%cI'])).toISOString(),
  };
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
