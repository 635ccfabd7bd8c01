import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOUD_NAMESPACE, CLOUD_SECRETS } from '@fenestra/contracts';
import { KINDS, stringAt, type KubeApi } from '@fenestra/kube-api';
import { nodeYaml } from '../../scripts/demo/node-yaml.ts';
import type { DemoPorts } from '../../scripts/demo/demo-settings.ts';
import { ourExecutable } from '../executables.ts';

/** A node's configuration, in a folder of its own. */
export interface AgentPlace {
  readonly configFile: string;
  readonly logFile: string;
}

/** A connected agent. */
export interface AgentProcess {
  /** From the start of the process until its log said that it is connected. */
  readonly connectedAfterMs: number;
  residentMegabytes(): number;
  /** The part of it that is not pages of files. */
  anonymousMegabytes(): number;
  /** Stops it as a service manager does. */
  stop(): Promise<void>;
}

const CONNECT_LIMIT_MS = 30_000;
const POLL_MS = 2;

/** Writes the configuration of a node that joins by the cloud's own token. */
export async function prepareAgent(root: string, ports: DemoPorts, api: KubeApi): Promise<AgentPlace> {
  const { name, token: key } = CLOUD_SECRETS.token;
  const secret = await api.get(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, new AbortController().signal);
  const token = Buffer.from(stringAt(secret, 'data', key), 'base64').toString();
  const configFile = join(root, 'etc/kubeedge/config/edgecore.yaml');
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  writeFileSync(configFile, nodeYaml({ name: 'bench-node', root, ports, token }), { mode: 0o600 });
  return { configFile, logFile: join(root, 'edgecore.log') };
}

/** Starts the agent from the built executable and waits until it is connected. */
export async function startAgent({ configFile, logFile }: AgentPlace): Promise<AgentProcess> {
  rmSync(logFile, { force: true });
  const started = performance.now();
  const args = ['edgecore', '--config', configFile, '--log-file', logFile];
  const child = spawn(ourExecutable(), args, { stdio: 'ignore' });
  while (!isConnected(logFile)) {
    if (child.exitCode !== null || performance.now() - started > CONNECT_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error('The agent did not connect in time');
    }
    await sleep(POLL_MS);
  }
  return {
    connectedAfterMs: performance.now() - started,
    residentMegabytes: () => statusMegabytes(child.pid, 'VmRSS'),
    anonymousMegabytes: () => statusMegabytes(child.pid, 'RssAnon'),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function isConnected(logFile: string): boolean {
  try {
    return readFileSync(logFile, 'utf8').includes('Connected to the cloud');
  } catch {
    return false;
  }
}

function statusMegabytes(pid: number | undefined, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}
