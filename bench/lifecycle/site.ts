import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPorts, type DemoPorts } from '../../scripts/demo/demo-settings.ts';
import { ourExecutable } from '../executables.ts';

/** A cloud and any number of nodes below one folder, all on loopback. */
export interface Site {
  readonly ports: DemoPorts;
  readonly kubeconfig: string;
  /** The folder of a node. */
  root(node: string): string;
  /** Runs keadm, which has to succeed, and returns how long it took in milliseconds. */
  keadm(args: readonly string[], input?: string): number;
  /** A token that lets this node join once. */
  token(node: string): string;
  join(node: string): number;
  /** Takes everything down. */
  close(nodes: readonly string[]): void;
}

function run(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(ourExecutable(), args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`"keadm ${args.join(' ')}" ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

function keadm(args: readonly string[], input?: string): number {
  const started = performance.now();
  run(args, input);
  return performance.now() - started;
}

/** Starts a cloud with its own Kubernetes API. */
export async function openSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-bench-'));
  const ports = await demoPorts(folder);
  const cloud = join(folder, 'cloud');
  const root = (node: string): string => join(folder, node);
  const token = (node: string): string => run(['gettoken', '--node', node, '--root', cloud]).trim();
  const addresses = ['--advertise-address', '127.0.0.1', '--api-address', `127.0.0.1:${ports.api}`];
  const listening = ['--hub-port', `${ports.hub}`, '--https-port', `${ports.https}`];
  keadm([
    'init',
    '--embedded',
    '--root',
    cloud,
    ...addresses,
    ...listening,
    '--monitor-address',
    `127.0.0.1:${ports.monitor}`,
  ]);
  return {
    ports,
    kubeconfig: join(cloud, 'var/lib/kubeedge/cloud/admin.kubeconfig'),
    root,
    keadm,
    token,
    join: (node) => keadm(joinWords(node, root(node), ports), token(node)),
    close(nodes) {
      for (const node of nodes) keadm(['service', 'stop', '--root', root(node)]);
      keadm(['cloud', 'stop', '--root', cloud]);
      rmSync(folder, { recursive: true });
    },
  };
}

function joinWords(node: string, root: string, ports: DemoPorts): readonly string[] {
  const cloud = ['--cloudcore-ip', '127.0.0.1', '--hub-port', `${ports.hub}`, '--certport', `${ports.https}`];
  const quick = ['--settle', '0s', '--token', '-', '--skip-check', 'container-runtime'];
  return ['join', '--root', root, ...cloud, '--edgenode-name', node, ...quick];
}
