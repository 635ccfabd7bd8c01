import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processesOnNodes } from './fleet-node.ts';
import type { FleetNode } from './fleet-site.ts';

const LOOK_MS = 100;
const OTHERS = 0o007;
/** Where anything of ours may be on a node, or of anyone who logs in. */
const PLACES = ['/var/lib', '/etc', '/tmp', '/var/tmp', '/root', '/home', '/opt', '/run'];
/** The nodes see it too, wherever it lies, and the tests that are in it know their own secrets. */
const CHECKOUT = join(import.meta.dirname, '../../../');
const LARGE_BYTES = 16 * 1024 * 1024;

/** Does some work, and in the meantime looks for secrets in the process lists of the nodes. */
export async function secretsWhile<T>(
  nodes: readonly FleetNode[],
  secrets: readonly string[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly seen: readonly string[] }> {
  const seen = new Set<string>();
  const over = new AbortController();
  const watching = watch(nodes, secrets, seen, over.signal);
  const result = await work().finally(() => over.abort());
  await watching;
  return { result, seen: [...seen] };
}

async function watch(
  nodes: readonly FleetNode[],
  secrets: readonly string[],
  seen: Set<string>,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    for (const text of processesOnNodes(nodes).map(textOf)) if (holds(text, secrets)) seen.add(text);
    await delay(LOOK_MS);
  }
}

/** The files of Linux nodes that hold a secret although everybody there may read them. */
export async function secretsOnNodes(
  nodes: readonly FleetNode[],
  secrets: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { node, os } of nodes) {
    if (os !== 'linux') continue;
    for (const secret of secrets) {
      const { stdout } = await node.run('grep', [
        '--recursive',
        '--files-with-matches',
        '--text',
        '-e',
        secret,
        ...PLACES,
      ]);
      const files = stdout.split('\n').filter((file) => file !== '' && !file.startsWith(CHECKOUT));
      found.push(...files.filter((file) => (statSync(node.hostPath(file)).mode & OTHERS) !== 0));
    }
  }
  return found;
}

/** The files below a folder of this machine that hold a secret. */
export async function secretsBelow(folder: string, secrets: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const { size } = await stat(path);
    if (size < LARGE_BYTES && holds(await readFile(path, 'latin1').catch(() => ''), secrets)) found.push(path);
  }
  return found;
}

/** What anyone on the node sees of a process, and what its own account sees: its words and its variables. */
function textOf(pid: number): string {
  return ['cmdline', 'environ'].map((file) => readText(`/proc/${pid}/${file}`)).join(' ');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function holds(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret));
}
