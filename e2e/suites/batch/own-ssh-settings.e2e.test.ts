/**
 * `keadm batch` and the operator's own settings for ssh, in the home folder of the test: nodes that are reached only
 * through a ProxyCommand, or let in only a key of a FIDO device, with and without `transport` in the file.
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SshdBed, startSshd } from '../../support/beds/sshd-bed.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { makeFidoKey, softwareFido } from '../../support/ssh/software-fido.ts';
import { type Controller, failuresIn, openController, problemsIn, statesIn } from './controller.ts';
import { keyAuth } from './fleet-site.ts';

let sshd: SshdBed;
let controller: Controller;
let fidoKey = '';

beforeAll(async () => {
  const signal = unlimited();
  sshd = await startSshd({ machines: 3 }, signal);
  controller = await openController();
  fidoKey = join(controller.folder, 'fido');
  const device = await softwareFido(signal);
  await makeFidoKey(device, fidoKey, signal);
  await appendFile(join(sshd.folder, 'authorized_keys'), await readFile(`${fidoKey}.pub`));
  const [type, key] = (await readFile(sshd.hostKey, 'utf8')).split(' ');
  const names = sshd.machines.map(({ port }) => `[hidden.example]:${port} ${type} ${key}\n`);
  await writeFile(controller.knownHosts, `${await readFile(sshd.knownHosts, 'utf8')}${names.join('')}`);
  await writeFile(join(controller.folder, '.ssh', 'config'), settings(device), { mode: 0o600 });
});
afterAll(async () => {
  await controller.close();
  await sshd.stop();
});

/** The last machine is the one that the others are behind. */
function settings(device: string): string {
  const login = `-i ${sshd.keyFile} -o UserKnownHostsFile=${controller.knownHosts} -o StrictHostKeyChecking=yes`;
  return `SecurityKeyProvider ${device}
Host hidden.example
  ProxyCommand ssh -F none ${login} -p ${sshd.machines[2]?.port} -W 127.0.0.1:%p ${sshd.user}@127.0.0.1
`;
}

test('nodes behind a ProxyCommand are worked on, with "transport: system" and without, which is reported once', async () => {
  const answer = await run([{ ip: 'hidden.example', transport: 'system' }, { ip: 'hidden.example' }]);
  expect(problemsIn(answer)).toEqual([]);
  expect(statesIn(answer)).toEqual({ 'edge-1': 'done', 'edge-2': 'done' });
  expect(remarksIn(answer)).toEqual([
    `edge-2: Reached by the system's ssh, because its own settings have a ProxyCommand for "hidden.example"`,
  ]);
});

test('"transport: library" is taken at its word', async () => {
  const answer = await run([{ ip: 'hidden.example', transport: 'library' }]);
  expect(failuresIn(answer)).toEqual({ 'edge-1': 'REMOTE_UNREACHABLE' });
});

test('a key of a FIDO device is enough', async () => {
  const answer = await run([{ auth: keyAuth(fidoKey) }]);
  expect(problemsIn(answer)).toEqual([]);
  expect(remarksIn(answer)).toEqual([
    `edge-1: Reached by the system's ssh, because the library does not support FIDO keys`,
  ]);
});

/** Runs a command that changes nothing on so many nodes. */
async function run(ssh: readonly object[]) {
  const file = await controller.write('history.yaml', {
    defaults: {
      keadmCmd: 'history --root {{root}}',
      ssh: { username: sshd.user, auth: keyAuth(sshd.keyFile) },
      retries: { attempts: 1 },
    },
    nodes: ssh.map((more, index) => {
      const { host, port, home } = sshd.machines[index] ?? { host: '', port: 0, home: '' };
      return { nodeName: `edge-${index + 1}`, cmdTplArgs: { root: home }, ssh: { ip: host, port, ...more } };
    }),
  });
  const flags = ['--runs', controller.runs, '--known-hosts', controller.knownHosts];
  return controller.start(['run', '-c', file, ...flags]).ended;
}

function remarksIn({ events }: Awaited<ReturnType<typeof run>>): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'node-log' && event.line.startsWith('Reached by') ? [`${event.node}: ${event.line}`] : [],
  );
}
