import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { CHECKOUT } from './checkout.ts';
import type { ControlGroup } from './control-group.ts';
import type { NodeRoot } from './node-root.ts';
import { childrenOf, killTree, programOf } from './process-tree.ts';

/** What a container is made from. */
export interface ContainerParts {
  readonly name: string;
  readonly root: NodeRoot;
  readonly group: ControlGroup;
  readonly shared: readonly string[];
  /** More arguments of systemd-nspawn. */
  readonly flags: readonly string[];
}

/** A running systemd-nspawn container. */
export interface Container {
  /** Process id, on this machine, of the container's systemd. */
  readonly leader: number;
  /** Returns when the container has ended, by itself or not. */
  ended(): Promise<void>;
  /** Ends everything in it at once. */
  kill(): Promise<void>;
}

const PAUSE_MS = 50;

/** Starts systemd in a container and returns as soon as it exists; it boots from there on. */
export async function startContainer(parts: ContainerParts, signal: AbortSignal): Promise<Container> {
  const nspawn = parts.root.cage.spawn(parts.group.inside(commandLine(parts)), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [nspawn.stdout, nspawn.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-4000)));
  }
  const gone = once(nspawn, 'exit');
  const leader = await findLeader(nspawn, () => said, signal);
  return {
    leader,
    async ended() {
      await gone;
    },
    async kill() {
      // The keeper of the container dies with it, and the kernel ends all it holds.
      killTree(nspawn.pid ?? 0);
      await gone;
    },
  };
}

function commandLine({ name, root, shared, flags }: ContainerParts): readonly string[] {
  const binds = [`--bind-ro=${CHECKOUT}`, ...shared.map((folder) => `--bind=${folder}`)];
  const alone = ['--register=no', '--keep-unit', '--private-network', '--console=pipe'];
  const place = [`--directory=${root.folder}`, `--machine=${name}`];
  return ['systemd-nspawn', '--quiet', '--boot', ...place, ...alone, ...binds, ...flags];
}

async function findLeader(nspawn: ChildProcess, said: () => string, signal: AbortSignal): Promise<number> {
  for (;;) {
    if (nspawn.exitCode !== null) throw notStarted(said());
    const leader = descendants(nspawn.pid ?? 0).find((pid) => programOf(pid) === 'systemd');
    if (leader !== undefined) return leader;
    await delay(PAUSE_MS, undefined, { signal });
  }
}

function descendants(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

function notStarted(said: string): OperatorError {
  return new OperatorError('COMMAND_FAILED', 'Cannot start a Linux node with systemd-nspawn', {
    hint: `Read what it said: ${said}`,
  });
}
