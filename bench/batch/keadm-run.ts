import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ourExecutable } from '../executables.ts';
import { VERSION } from './far-end-scripts.ts';
import { requireMarks, type Delivery, type Taken } from './methods.ts';
import { runController } from './run-controller.ts';

/** How our program gets the executable to the targets. */
export type Way = 'push' | 'pull';

/** `keadm batch` as its user runs it, with its journal and its reports. */
export async function keadmBatch(way: Way, delivery: Delivery): Promise<Taken> {
  const runs = await keadm(way, delivery);
  requireMarks(`keadm batch, ${way}`, logsOf(runs.folder), delivery);
  return runs;
}

/** The same on targets that have everything already. */
export async function keadmAgain(way: Way, delivery: Delivery): Promise<Taken> {
  const { output, ...taken } = await keadm(way, delivery);
  const unchanged = /(\d+) unchanged/.exec(output)?.[1];
  if (Number(unchanged) !== delivery.targets.length) throw new Error(`The second run had something to do: ${output}`);
  return taken;
}

async function keadm(
  way: Way,
  delivery: Delivery,
): Promise<Taken & { readonly output: string; readonly folder: string }> {
  const { folder, payload, login } = delivery.site;
  const runs = mkdtempSync(join(folder, 'runs-'));
  const file = join(runs, 'batch.yaml');
  writeFileSync(file, batchFile(way, delivery), { mode: 0o600 });
  const program = `linux-x64=${payload.program}`;
  const argv = ['batch', 'run', '-c', file, '--runs', runs, '--known-hosts', login.knownHosts, '--program', program];
  return { ...(await runController([ourExecutable(), ...argv])), folder: runs };
}

function batchFile(way: Way, { site, targets, width }: Delivery): string {
  const auth = { type: 'privateKey', privateKeyAuth: { privateKeyPath: site.login.keyFile } };
  return JSON.stringify({
    limits: { connections: width },
    delivery: way,
    defaults: {
      copyFrom: site.payload.files,
      ssh: { username: site.login.user, auth, hostKey: hostKeyOf(site.login.hostKey) },
    },
    nodes: targets.map(({ name, host, port, home }) => ({
      nodeName: name,
      keadmCmd: `upgrade --version=${VERSION} --root=${home}`,
      ssh: { ip: host, port },
    })),
  });
}

function hostKeyOf(file: string): string {
  return readFileSync(file, 'utf8').split(' ').slice(0, 2).join(' ');
}

function logsOf(runs: string): string {
  const logs = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.log'));
  return logs.map((name) => readFileSync(join(runs, name), 'utf8')).join('\n');
}
