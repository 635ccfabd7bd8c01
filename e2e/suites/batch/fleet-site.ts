import { appendFile, readFile } from 'node:fs/promises';
import { KINDS } from '@fenestra/kube-api';
import type { BedNode } from '../../support/beds/bed-node.ts';
import { type LinuxSshBed, OPERATOR, startLinuxSsh } from '../../support/beds/linux-ssh.ts';
import { startWindowsSsh, type WindowsSshBed } from '../../support/beds/windows-ssh.ts';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { type Controller, openController } from './controller.ts';

/** A machine of the fleet, by the name it has in the batch file and in the cloud. */
export interface FleetNode {
  readonly name: string;
  readonly os: 'linux' | 'windows';
  readonly node: BedNode;
  readonly port: number;
}

/** A cloud, machines that can be logged in to, and the operator's machine. */
export interface FleetSite {
  readonly cloud: Cloud;
  readonly controller: Controller;
  readonly nodes: readonly FleetNode[];
  readonly token: string;
  /** The key that root of the Linux nodes lets in. */
  readonly keyFile: string;
  /** What a batch file says about these machines, with this command for all of them. */
  fileFor(keadmCmd: string, more?: FileParts): object;
  /** The names of the nodes that the cloud knows. */
  inCloud(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** What else a batch file says. */
interface FileParts extends Readonly<Record<string, unknown>> {
  readonly defaults?: object;
}

/** Starts them all. */
export async function startFleetSite(counts: { readonly linux: number; readonly windows: number }): Promise<FleetSite> {
  const signal = unlimited();
  const cloud = await startEmbeddedCloud();
  const reachable = [cloud.ports.hub, cloud.ports.https, await apiPort(cloud)];
  const linux = await startLinuxSsh({ nodes: counts.linux, reachable }, signal);
  const windows = await startWindowsSsh(counts.windows, {}, signal);
  const token = await cloud.token();
  const controller = await openController({
    KEADM_TOKEN: token,
    LOGIN_PASSWORD: OPERATOR.password,
    SUDO_PASSWORD: OPERATOR.password,
  });
  for (const { knownHosts } of [linux, windows.sshd])
    await appendFile(controller.knownHosts, await readFile(knownHosts));
  const nodes = nodesOf(linux, windows);
  return {
    cloud,
    controller,
    nodes,
    token,
    keyFile: linux.keyFile,
    fileFor(keadmCmd, { defaults, ...more } = {}) {
      const file = fileOf(nodes, linux, windows);
      return { ...file, ...more, defaults: { ...file.defaults, keadmCmd, ...defaults } };
    },
    async inCloud() {
      return (await cloud.api.list(KINDS.node, {}, signal)).map(({ metadata }) => metadata.name ?? '').toSorted();
    },
    async stop() {
      await controller.close();
      await windows.stop();
      await linux.stop();
      await cloud.stop();
    },
  };
}

/** The words that join a machine without a container runtime to the cloud of a site. */
export function joinCommand({ ports }: Pick<Cloud, 'ports'>): string {
  const cloud = `--cloudcore-ip 127.0.0.1 --hub-port ${ports.hub} --certport ${ports.https}`;
  return `join ${cloud} --edgenode-name={{nodeName}} --token={{token}} --settle 0s --skip-check container-runtime`;
}

/** The port of the cloud's Kubernetes API. */
async function apiPort({ machine, kubeconfig }: Cloud): Promise<number> {
  const text = await readFile(machine.node.hostPath(kubeconfig), 'utf8');
  return Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
}

function nodesOf(linux: LinuxSshBed, windows: WindowsSshBed): readonly FleetNode[] {
  return [
    ...linux.nodes.map(({ node, port }, index) => ({ name: nameOf('shop', index), os: 'linux' as const, node, port })),
    ...windows.nodes.map(({ node, port }, index) => ({
      name: nameOf('till', index),
      os: 'windows' as const,
      node,
      port,
    })),
  ];
}

function nameOf(kind: string, index: number): string {
  return `${kind}-${String(index + 1).padStart(2, '0')}`;
}

/** The first one is logged in to with a password, as someone who needs sudo. */
function fileOf(nodes: readonly FleetNode[], linux: LinuxSshBed, windows: WindowsSshBed) {
  return {
    keadm: { cmdTplArgs: { token: 'env:KEADM_TOKEN' } },
    defaults: { ssh: { username: 'root', auth: keyAuth(linux.keyFile) } },
    groups: { windows: { os: 'windows', ssh: { username: windows.sshd.user, auth: keyAuth(windows.sshd.keyFile) } } },
    nodes: nodes.map(({ name, os, port }, index) => ({
      nodeName: name,
      ...(os === 'windows' ? { groups: 'windows' } : {}),
      ...(index === 0 ? { become: { password: 'env:SUDO_PASSWORD' } } : {}),
      ssh: { ip: '127.0.0.1', port, ...(index === 0 ? { username: OPERATOR.name, auth: PASSWORD_AUTH } : {}) },
    })),
  };
}

const PASSWORD_AUTH = { type: 'password', passwordAuth: { password: 'env:LOGIN_PASSWORD' } };

/** Log in with a key. */
export function keyAuth(privateKeyPath: string): object {
  return { type: 'privateKey', privateKeyAuth: { privateKeyPath } };
}
