/** The rights of root by Debian's doas, on a node that has it besides sudo. */
import { chmod, copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BedNode } from '../../support/beds/bed-node.ts';
import { type LinuxSshBed, OPERATOR, startLinuxSsh } from '../../support/beds/linux-ssh.ts';
import { unpackedPackage } from '../../support/beds/unpacked-package.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { attemptsIn, type BatchAnswer, type Controller, failuresIn, openController, problemsIn } from './controller.ts';

const STORE = '/var/lib/fenestra/batch/store';
let bed: LinuxSshBed;
let node: BedNode;
let controller: Controller;

beforeAll(async () => {
  bed = await startLinuxSsh({ nodes: 1, reachable: [] }, unlimited());
  const [first] = bed.nodes;
  if (first === undefined) throw new Error('There is no machine');
  node = first.node;
  await giveDoas(node);
  controller = await openController({ LOGIN_PASSWORD: OPERATOR.password });
});
afterAll(async () => {
  await controller.close();
  await bed.stop();
});

test('an account that doas lets in needs nothing else, and the work is done with the rights of root', async () => {
  await rule(`permit nopass ${OPERATOR.name} as root`);
  expect(problemsIn(await runHistory())).toEqual([]);
  const { uid, mode } = await stat(node.hostPath(STORE));
  expect([uid, mode & 0o077]).toEqual([0, 0]);
});

test.each([
  ['would have to ask for a password', `permit ${OPERATOR.name} as root`, /Authentication required/],
  ['does not know the account', 'permit nopass root', /Operation not permitted/],
])('a doas that %s refuses at the first attempt, in its own words', async (_name, line, words) => {
  await rule(line);
  const answer = await runHistory();
  expect([answer.exitCode, failuresIn(answer)]).toEqual([101, { shop: 'BECOME_REFUSED' }]);
  expect(attemptsIn(answer, 'shop', 'surveying')).toBe(1);
  expect(answer.stdout).toMatch(words);
});

/** Puts the program there as its package would; the node shares nothing with this machine but the kernel. */
async function giveDoas(to: BedNode): Promise<void> {
  const folder = await unpackedPackage('opendoas', 'opendoas', unlimited());
  await copyFile(join(folder, 'usr/bin/doas'), to.hostPath('/usr/bin/doas'));
  await copyFile(join(folder, 'etc/pam.d/doas'), to.hostPath('/etc/pam.d/doas'));
  await chmod(to.hostPath('/usr/bin/doas'), 0o4755);
}

async function rule(line: string): Promise<void> {
  await writeFile(node.hostPath('/etc/doas.conf'), `${line}\n`, { mode: 0o600 });
}

async function runHistory(): Promise<BatchAnswer> {
  const auth = { type: 'password', passwordAuth: { password: 'env:LOGIN_PASSWORD' } };
  const ssh = { ip: bed.nodes[0]?.host, port: bed.nodes[0]?.port, username: OPERATOR.name, auth };
  const file = await controller.write('doas.yaml', {
    nodes: [{ nodeName: 'shop', keadmCmd: 'history', become: { method: 'doas' }, ssh }],
  });
  return controller.start(['-c', file, '--runs', controller.runs, '--known-hosts', bed.knownHosts]).ended;
}
