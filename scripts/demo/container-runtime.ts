import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRuntime } from '@fenestra/cri';
import { makePauseImage, makePodImage, PAUSE_IMAGE } from '../../e2e/support/beds/test-images.ts';
import { requirePackages } from '../../build/packaging/require-packages.ts';

/** The demo's own container runtime. One that this machine has already is not touched. */
export interface DemoRuntime {
  /** As keadm takes it. */
  readonly endpoint: string;
  /** Ends all pods, then the runtime. Images and the rest of its data stay for the next start. */
  stop(): Promise<void>;
}

const PACKAGES = ['containerd', 'runc', 'containernetworking-plugins', 'iproute2', 'catatonit', 'busybox-static'];
const PLUGINS = '/usr/lib/cni';
const READY_MS = 30_000;

/** Starts containerd with its data in a folder and a network for pods that only this machine reaches. Needs root. */
export async function startRuntime(folder: string): Promise<DemoRuntime> {
  await requirePackages(PACKAGES);
  mkdirSync(join(folder, 'cni'), { recursive: true });
  writeFileSync(join(folder, 'cni/10-demo.conflist'), JSON.stringify(podNetwork(folder)));
  writeFileSync(join(folder, 'config.toml'), configText(folder));
  const log = openSync(join(folder, 'containerd.log'), 'a');
  // It must not outlive the demo, however that ends.
  const command = ['--pdeathsig', 'TERM', 'containerd', '--config', join(folder, 'config.toml')];
  const daemon = spawn('setpriv', command, { stdio: ['ignore', log, log] });
  const endpoint = `unix://${join(folder, 'containerd.sock')}`;
  await untilReady(endpoint, daemon);
  await importImages(folder);
  return { endpoint, stop: async () => stopAll(endpoint, daemon) };
}

function podNetwork(folder: string): object {
  const ipam = { type: 'host-local', ranges: [[{ subnet: '10.243.7.0/24' }]], dataDir: join(folder, 'addresses') };
  return { cniVersion: '0.4.0', name: 'demo', plugins: [{ type: 'ptp', ipMasq: false, ipam }] };
}

function configText(folder: string): string {
  return `version = 2
root = "${folder}/root"
state = "${folder}/state"

[grpc]
address = "${folder}/containerd.sock"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${PAUSE_IMAGE}"
stream_server_address = "127.0.0.1"
disable_apparmor = true
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${PLUGINS}"
conf_dir = "${folder}/cni"

[plugins."io.containerd.internal.v1.opt"]
path = "${folder}/opt"
`;
}

async function untilReady(endpoint: string, daemon: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    if (daemon.exitCode !== null || performance.now() > deadline)
      throw new Error('containerd does not start; read its log in dist/demo/containerd');
    const runtime = connectRuntime(endpoint);
    try {
      await runtime.status(AbortSignal.timeout(READY_MS));
      return;
    } catch {
      await sleep(100);
    } finally {
      runtime.close();
    }
  }
}

/** There may be no registry to pull from, so the images are made on the spot. */
async function importImages(folder: string): Promise<void> {
  const { signal } = new AbortController();
  rmSync(join(folder, 'images'), { recursive: true, force: true });
  const archives = [
    await makePauseImage(join(folder, 'images/pause'), signal),
    await makePodImage(join(folder, 'images/system'), signal),
  ];
  for (const archive of archives) {
    execFileSync('ctr', [
      '--address',
      join(folder, 'containerd.sock'),
      '--namespace',
      'k8s.io',
      'images',
      'import',
      archive,
    ]);
  }
}

async function stopAll(endpoint: string, daemon: ChildProcess): Promise<void> {
  const runtime = connectRuntime(endpoint);
  const { signal } = new AbortController();
  try {
    for (const { id } of await runtime.listSandboxes({}, signal)) {
      await runtime.stopSandbox(id, signal);
      await runtime.removeSandbox(id, signal);
    }
  } finally {
    runtime.close();
    const gone = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    await gone;
  }
}
