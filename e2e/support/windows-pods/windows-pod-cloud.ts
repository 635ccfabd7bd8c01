/**
 * A cloud and a Windows node (Wine) whose agent, the built executable, runs pods in a real containerd of this machine:
 * agent, named pipe, relay in the node, relay on this machine, bridge, containerd.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectRuntime, type ContainerRuntime } from '@fenestra/cri';
import { freePort } from '@fenestra/platform/testing/free-port';
import { vi } from 'vitest';
import { RUNTIME } from '../beds/checkout.ts';
import { type PodRuntime, startPodRuntime } from '../beds/pod-runtime.ts';
import { toWindowsPath } from '../beds/windows-path.ts';
import { type Cloud, startEmbeddedCloud } from '../cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../cloud/edge-node.ts';
import { PATIENCE } from '../cloud/patience.ts';
import { POD_NODE, SHARED_DISK, untilNodeReady } from '../cloud/pod-cloud.ts';
import { openRelay, type Relay } from '../cloud/relay.ts';
import { join as joinNode } from '../lifecycle/administrator.ts';
import { succeeded } from '../lifecycle/answer.ts';
import { windowsMachine } from '../machines/keadm-machine.ts';
import { type PodBridge, startPodBridge } from './pod-bridge.ts';

/** What runs and what a test can do to it. */
export interface WindowsPodCloud {
  readonly api: Cloud['api'];
  readonly node: EdgeNode;
  /** A client of containerd besides the agent's. */
  readonly cri: ContainerRuntime;
  readonly bridge: PodBridge;
  /** The way from the named pipe to the bridge. */
  readonly relay: Relay;
  /** What is drive C of the node, as far as containerd sees it too: only `var`. */
  readonly nodeRoot: string;
  /** Ends the agent at once. Nothing starts it again but `startAgent`. */
  killAgent(): Promise<void>;
  startAgent(): Promise<void>;
  stop(): Promise<void>;
}

const PIPE = String.raw`\\.\pipe\containerd-containerd`;
const PIPE_RELAY = join(import.meta.dirname, '../beds/windows-side/pipe-relay.cjs');
const A_DAY_MS = 24 * 60 * 60_000;

/** Starts everything, and returns when the node is ready. */
export async function startWindowsPodCloud(signal: AbortSignal): Promise<WindowsPodCloud> {
  await using parts = new AsyncDisposableStack();
  const runtime = parts.adopt(await startPodRuntime(signal), async (each) => each.stop());
  const cloud = parts.adopt(await startEmbeddedCloud(), async (each) => each.stop());
  const bridge = parts.use(await startPodBridge(runtime.endpoint, join(nodeRootOf(runtime), 'var')));
  const port = await freePort();
  const relay = parts.adopt(await openRelay({ port }, { path: bridge.path }), async (each) => each.close());
  const node = parts.adopt(await startNode(runtime, cloud, signal), async (each) => each.stop());
  const cri = parts.adopt(connectRuntime(runtime.endpoint), (each) => each.close());
  servePipe(node, port);
  // Wine has no such feature, and the containers here need none.
  succeeded(await joinNode({ cloud, node }, '--skip-check', 'features', ...SHARED_DISK));
  await untilNodeReady(cloud);
  const all = parts.move();
  return {
    api: cloud.api,
    node,
    cri,
    bridge,
    relay,
    nodeRoot: nodeRootOf(runtime),
    killAgent: async () => killAgent(node),
    startAgent: async () => void (await node.keadm('service', 'start')),
    stop: async () => all.disposeAsync(),
  };
}

function nodeRootOf({ folder }: PodRuntime): string {
  return join(folder, 'drive-c');
}

async function startNode(runtime: PodRuntime, cloud: Cloud, signal: AbortSignal): Promise<EdgeNode> {
  const folder = join(nodeRootOf(runtime), 'var');
  await mkdir(folder, { recursive: true });
  const machine = await windowsMachine(signal, { name: POD_NODE, folders: { 'C:\\var': folder } });
  return prepareNode(POD_NODE, machine, cloud);
}

/** Ends with the node. */
function servePipe({ machine }: EdgeNode, port: number): void {
  const args = [toWindowsPath(PIPE_RELAY), PIPE, `${port}`];
  const relay = machine.node.run(toWindowsPath(RUNTIME.nodeWindows), args, { timeoutMs: A_DAY_MS });
  relay.catch(() => undefined);
}

async function killAgent(node: EdgeNode): Promise<void> {
  const pid = (await node.status())?.pid;
  await node.machine.node.run('taskkill', ['/F', '/PID', `${pid}`]);
  await vi.waitFor(async () => {
    const { stdout } = await node.machine.keadm(['service', 'status', '--output', 'json']);
    if (!/"state": ?"(?:failed|stopped)"/.test(stdout)) throw new Error(`The agent is not gone: ${stdout}`);
  }, PATIENCE);
}
