import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import type { KeadmMachine } from '../machines/keadm-machine.ts';

/** A file in which a token was found. */
export interface FoundFile {
  readonly path: string;
  /** Whether its mode lets everybody read it. */
  readonly readableByAll: boolean;
}

/** Programs are bigger, and hold nothing a run of them has left. */
const MAX_BYTES = 64 * 1024 * 1024;
const OTHERS_READ = 0o004;

/** The files of a machine, wherever ours or a log may be, that hold a join token: as it is, as Windows writes text, or as a Secret has it. */
export async function filesWithToken(
  machine: KeadmMachine,
  token: string,
  others: readonly string[] = [],
): Promise<readonly FoundFile[]> {
  const { configFolder, stateFolder, bookkeeping } = machine.paths;
  const common = configFolder.startsWith('/') ? ['/var/log', '/tmp'] : ['C:\\windows\\temp'];
  const signature = signatureOf(token);
  const forms = [signature, Buffer.from(signature, 'utf16le'), Buffer.from(token).toString('base64').slice(-40)];
  const places = [configFolder, stateFolder, bookkeeping, ...common, ...others];
  const folders = places.map((folder) => machine.node.hostPath(folder));
  return (await Promise.all(folders.map(async (folder) => filesContaining(folder, forms)))).flat();
}

/** The part of a token that is worth stealing and that nothing else contains. */
export function signatureOf(token: string): string {
  return token.split('.').at(-1) ?? token;
}

async function filesContaining(folder: string, texts: readonly (string | Buffer)[]): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: FoundFile[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const facts = await lstat(path).catch(unlessGone);
    if (facts === undefined || facts.size > MAX_BYTES) continue;
    const { mode } = facts;
    const bytes = await readFile(path).catch(unlessGone);
    if (bytes === undefined) continue;
    if (texts.some((text) => bytes.includes(text))) found.push({ path, readableByAll: (mode & OTHERS_READ) !== 0 });
  }
  return found;
}

/** Programs remove their temporary files while these are looked at. */
function unlessGone(error: unknown): undefined {
  if (systemCodeOf(error) !== 'ENOENT') throw error;
}
