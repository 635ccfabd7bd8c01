import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { waitUntil } from '@fenestra/platform';

const STALE_LOCK_MS = 10_000;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** What becomes of a known_hosts file whose text is this: the lines to add. */
export type Addition = (text: string) => string;

/** Adds to a known_hosts file what is missing there, seen while no one else can write it. Returns the text it now has. */
export async function addToKnownHosts(file: string, addition: Addition, signal: AbortSignal): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    return await withLock(`${file}.lock`, async () => append(file, addition), signal);
  } catch (error) {
    throw fileError(error, `record a host key in "${file}"`);
  }
}

async function append(file: string, addition: Addition): Promise<string> {
  const text = await readFile(file, 'utf8').catch(ifMissing(''));
  const added = addition(text);
  if (added === '') return text;
  // A last line that someone did not end must not swallow ours.
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  await writeThrough(file, gap + added);
  return text + gap + added;
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', PRIVATE_FILE);
  try {
    await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function withLock<T>(lock: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  await waitUntil('waiting for the known_hosts file', async () => takeLock(lock), signal);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', PRIVATE_FILE)).close();
    return true;
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
    if (await isStale(lock)) await rm(lock, { force: true });
    return false;
  }
}

/** No one needs the lock for longer than a few writes, so one that is old was left by someone who died. */
async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(ifMissing(undefined));
  return found !== undefined && Date.now() - found.mtimeMs > STALE_LOCK_MS;
}

function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (systemCodeOf(error) === 'ENOENT') return value;
    throw error;
  };
}
