import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minimalCloudcoreYaml } from '@fenestra/contracts';
import { parseDocument } from 'yaml';
import { ourExecutable } from '../../../bench/executables.ts';
import { demoPorts, type DemoPorts } from '../../../scripts/demo/demo-settings.ts';

/** Where a cloud lives: the same folder and ports however often it is started. */
export interface CloudPlace {
  readonly folder: string;
  /** The embedded API's own folder. */
  readonly apiFolder: string;
  readonly kubeconfigFile: string;
  readonly ports: DemoPorts;
  /** PEM files of a CA to use instead of a new one. */
  readonly ca?: { readonly certificate: string; readonly key: string };
}

/** Cloudcore with its embedded API, from the built executable, as its own process. */
export interface CloudProcess {
  readonly child: ChildProcess;
  /** The value of one of its metrics. */
  metric(name: string): Promise<number>;
  /** Ends it without warning, and returns when it is gone. */
  kill(): Promise<void>;
}

const READY_LIMIT_MS = 30_000;

/** Takes free ports for a cloud in a folder and writes its configuration. */
export async function prepareCloud(folder: string, ca?: CloudPlace['ca']): Promise<CloudPlace> {
  const ports = await demoPorts(folder);
  const apiFolder = join(folder, 'api');
  mkdirSync(apiFolder, { recursive: true, mode: 0o700 });
  const place = { folder, apiFolder, kubeconfigFile: join(apiFolder, 'admin.kubeconfig'), ports };
  writeFileSync(join(folder, 'cloudcore.yaml'), cloudYaml(place, ca), { mode: 0o600 });
  return place;
}

/** Starts the cloud and returns when it serves nodes. Its log goes on in `cloudcore.log`. */
export async function startCloud({ folder, apiFolder, ports }: CloudPlace): Promise<CloudProcess> {
  const log = openSync(join(folder, 'cloudcore.log'), 'a');
  const embedded = ['--embedded', apiFolder, '--embedded-address', `127.0.0.1:${ports.api}`];
  const args = ['cloudcore', '--config', join(folder, 'cloudcore.yaml'), ...embedded];
  const child = spawn(ourExecutable(), args, { stdio: ['ignore', log, log] });
  const monitor = `http://127.0.0.1:${ports.monitor}`;
  await untilReady(child, monitor, folder);
  return {
    child,
    metric: async (name) => readMetric(`${monitor}/metrics`, name),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function cloudYaml({ folder, ports }: CloudPlace, ca: CloudPlace['ca']): string {
  const document = parseDocument(minimalCloudcoreYaml({ addresses: ['127.0.0.1'] }));
  const set = (path: string, value: string | number): void => document.setIn(path.split('.'), value);
  set('commonConfig.monitorServer.bindAddress', `127.0.0.1:${ports.monitor}`);
  set('modules.cloudHub.websocket.port', ports.hub);
  set('modules.cloudHub.https.port', ports.https);
  set('modules.cloudHub.tlsCAFile', ca?.certificate ?? join(folder, 'no-ca.crt'));
  set('modules.cloudHub.tlsCAKeyFile', ca?.key ?? join(folder, 'no-ca.key'));
  set('modules.cloudHub.tlsCertFile', join(folder, 'no-server.crt'));
  set('modules.cloudHub.tlsPrivateKeyFile', join(folder, 'no-server.key'));
  return document.toString();
}

async function untilReady(child: ChildProcess, monitor: string, folder: string): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!(await isReady(`${monitor}/readyz`))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() > deadline) {
      child.kill('SIGKILL');
      const log = readFileSync(join(folder, 'cloudcore.log'), 'utf8').slice(-2_000);
      throw new Error(`The cloud is not ready${ended ? ' and has ended' : ''}: ${log}`);
    }
    await sleep(50);
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The value of a metric that a cloud serves at this address. */
export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
}
