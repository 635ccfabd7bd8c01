import { randomBytes } from 'node:crypto';
import { tmpdir, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { mkdtemp, readdir } from 'node:fs/promises';
import { remoteWorker, type Batch, type BatchNode, type NodeWorker } from '@fenestra/fleet';
import type { RemoteHosts, FileStore } from '@fenestra/platform';
import type { NewHostKey } from '@fenestra/ssh';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { commandEffect } from '../cli/command-effect.ts';
import type { KeadmEnvironment } from '../platform.ts';
import type { WorkFlags } from './batch-options.ts';
import { programBook } from './programs/program-book.ts';
import { givenPrograms } from './programs/program-target.ts';
import { discreetWorker, guardSecrets } from './secret-guard.ts';

/** Everything that does the work on the nodes, wired together. */
export interface BatchWork {
  /** The nodes to hand to the worker: their secrets are hidden in all that it says. */
  readonly nodes: readonly BatchNode[];
  readonly worker: NodeWorker;
  /** Ends what was opened, and tells on standard error what the operator has to know. */
  close(): Promise<void>;
}

/** What the work is about. */
export interface WorkRequest {
  readonly batch: Batch;
  readonly nodes: readonly BatchNode[];
  readonly flags: WorkFlags;
  /** Fires when even what is in flight has to end. */
  readonly signal: AbortSignal;
}

/** Makes ready to work on these nodes. None is connected to yet. */
export async function openWork(environment: KeadmEnvironment, request: WorkRequest): Promise<BatchWork> {
  const { batch, flags, signal } = request;
  const given = givenPrograms(flags.program);
  const platform = await environment.loadPlatform(undefined);
  const scratch = await makeScratch(platform.files, tmpdir());
  const book = programBook(batch.keadm, given, { environment: { ...environment, signal }, scratch });
  const { hosts, recorded } = await openHosts(environment, flags);
  const guard = guardSecrets(request.nodes);
  const worker = remoteWorker({
    ...book,
    hosts,
    effectOf: async (words) => commandEffect(words, environment),
    now: environment.now,
    random: randomBytes,
    delivery: batch.delivery,
    compress: batch.compress,
    scratchFolder: scratch,
    idleConnections: batch.policy.budgets.connections,
  });
  return {
    nodes: guard.nodes,
    worker: discreetWorker(worker, guard.hide),
    async close() {
      await worker.close();
      await removeScratch(platform.files, tmpdir(), scratch);
      for (const line of recorded) environment.terminal.err(`${line}\n`);
    },
  };
}

const SYSTEM_KNOWN_HOSTS = '/etc/ssh/ssh_known_hosts';
const SYSTEM_CONFIG = '/etc/ssh/ssh_config';

/** Machines that can be connected to, and what there is to tell about their keys afterwards. */
export interface OpenHosts {
  readonly hosts: RemoteHosts;
  /** One line for each host key that was taken as new. */
  readonly recorded: readonly string[];
}

/** Opens the way to the nodes, with the host keys that are known. What it takes is loaded only now. */
async function openHosts(
  { variables, loadPlatform }: Pick<KeadmEnvironment, 'variables' | 'loadPlatform'>,
  { acceptNew, knownHosts }: WorkFlags,
): Promise<OpenHosts> {
  const { remoteHosts } = await import('@fenestra/ssh');
  const { host } = await loadPlatform(undefined);
  const settings = join(variables['HOME'] ?? homedir(), '.ssh');
  const own = resolve(knownHosts ?? join(settings, 'known_hosts'));
  const recorded: string[] = [];
  const hosts = remoteHosts({
    knownHosts: knownHosts === undefined ? [own, SYSTEM_KNOWN_HOSTS] : [own],
    acceptNew: acceptNew ? { file: own, recorded: (key) => void recorded.push(keyText(key)) } : undefined,
    configFiles: [join(settings, 'config'), SYSTEM_CONFIG],
    // The ssh of Windows cannot share a connection between commands.
    multiplex: (await host.facts()).os !== 'windows',
  });
  return { hosts, recorded };
}

function keyText({ target, type, fingerprint, file }: NewHostKey): string {
  return `Recorded the ${type} key of "${target.name}" in "${file}": ${fingerprint}`;
}

type Remover = Pick<FileStore, 'removeTree'>;

const NAME = /^keadm-batch-(\d+)-/;

/** Makes a folder for this account alone, and removes what runs that were killed have left. */
export async function makeScratch(files: Remover, parent: string): Promise<string> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) if (isOfTheDead(name)) await removeScratch(files, parent, join(parent, name));
  return mkdtemp(join(parent, `keadm-batch-${process.pid}-`)).catch((cause: unknown) => {
    throw fileError(cause, `make a folder in "${parent}"`);
  });
}

/** What is left of it, or is another account's, is in no one's way: no reason to call a run failed. */
export async function removeScratch(files: Remover, parent: string, scratch: string): Promise<void> {
  await files.removeTree(scratch, parent, new AbortController().signal).catch(() => undefined);
}

function isOfTheDead(name: string): boolean {
  const [, pid] = NAME.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) !== 'ESRCH';
  }
}
