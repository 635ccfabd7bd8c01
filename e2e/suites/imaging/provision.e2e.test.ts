import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { unlimited } from '../../support/cloud/patience.ts';
import { ask, mustDo, type Answer } from '../../support/lifecycle/answer.ts';
import { windowsMachine, type KeadmMachine } from '../../support/machines/keadm-machine.ts';
import { writeImageFile, type ImageWishes } from './image-file.ts';
import { machinePicture } from './machine-picture.ts';
import { makeDownloads, type Downloads } from './stand-in/downloads.ts';

/** Wine is not Windows Server, has no containers, and keeps no rights. */
const NOT_IN_WINE = ['--skip-check', 'os-version,container-runtime,features,rights'];
const PROVENANCE = 'C:\\var\\lib\\fenestra\\image.json';
const CLOUDBASE = 'C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init';

const Checks = z.object({ checks: z.array(z.object({ name: z.string(), verdict: z.string(), reason: z.string() })) });

let downloads: Downloads;

beforeAll(async () => {
  downloads = await makeDownloads(unlimited());
});
afterAll(async () => downloads.remove());

describe('an image of a worker on Windows', () => {
  let machine: KeadmMachine;

  beforeAll(async () => {
    machine = await windowsMachine(unlimited(), { shared: [downloads.folder] });
    // keadm's first start unpacks what it carries, which is not a change of the machine.
    await ask(machine, ['doctor']);
  });
  afterAll(async () => machine.node.stop());

  const provision = async (wishes: ImageWishes): Promise<Answer> =>
    ask(machine, ['image', 'provision', '--config', await writeImageFile(downloads, wishes)]);
  const verify = async (wishes: ImageWishes = { role: 'worker' }): Promise<Answer> =>
    ask(machine, ['image', 'verify', '--config', await writeImageFile(downloads, wishes), ...NOT_IN_WINE]);
  const textOf = async (path: string): Promise<string> => readFile(machine.node.hostPath(path), 'utf8');

  test.each(['containerd', 'kubelet', 'cloudbaseInit'] as const)(
    'a wrong checksum of %s stops before anything is installed',
    async (wrong) => {
      const before = await machinePicture(machine);
      const answer = await provision({ role: 'worker', wrong });
      expect(answer, answer.said).toMatchObject({ outcome: 'reverted', error: { code: 'RELEASE_INVALID' } });
      expect(answer.error?.message).toContain('should be 0000');
      expect(await machinePicture(machine)).toEqual(before);
    },
  );

  test('an image that is not made fails its test, with a reason for each part', async () => {
    const answer = await verify();
    expect(answer.exitCode).toBe(4);
    expect(failedIn(answer)).toEqual(
      expect.arrayContaining(['containerd', 'kubernetes', 'cloudbase-init', 'registry', 'search-path', 'provenance']),
    );
  });

  test('a package that turns out to be another one is taken off again, with everything that came before it', async () => {
    const before = await machinePicture(machine);
    const answer = await provision({ role: 'worker', otherPackage: true });
    expect(answer, answer.said).toMatchObject({ outcome: 'reverted', error: { code: 'SERVICE_NOT_FOUND' } });
    expect(await machinePicture(machine)).toEqual(before);
  });

  test.each([10, 40, 80, 95])('a kill after record %d is undone by "keadm recover"', async (record) => {
    const before = await machinePicture(machine);
    const file = await writeImageFile(downloads, { role: 'worker' });
    const env = { FENESTRA_KILL_AFTER_RECORD: `${record}` };
    const { exitCode, stderr } = await machine.keadm(['image', 'provision', '--config', file], env);
    expect(exitCode, stderr).toBe(machine.killedExitCode);
    await mustDo(machine, ['recover']);
    expect(await machinePicture(machine)).toEqual(before);
  });

  test('it is made, and passes its test', async () => {
    const file = await writeImageFile(downloads, { role: 'worker' });
    expect(await mustDo(machine, ['image', 'provision', '--config', file])).toMatchObject({ outcome: 'applied' });
    const answer = await verify();
    expect(failedIn(answer), answer.said).toEqual([]);
    expect(answer.exitCode).toBe(0);
  });

  test('it says what it is made of, and nothing that was only needed for the making is left', async () => {
    expect(JSON.parse(await textOf(PROVENANCE))).toMatchObject({
      role: 'worker',
      pieces: [{ id: 'containerd' }, { id: 'kubelet', sha256: downloads.kubelet.sha256 }, { id: 'cloudbase-init' }],
    });
    expect(existsSync(machine.node.hostPath('C:\\var\\lib\\fenestra\\image-pieces'))).toBe(false);
    expect((await readdir(machine.node.hostPath(`${CLOUDBASE}\\conf`))).toSorted()).toEqual([
      'cloudbase-init-unattend.conf',
      'cloudbase-init.conf',
    ]);
  });

  test('the host name comes before user-data', async () => {
    const conf = await textOf(`${CLOUDBASE}\\conf\\cloudbase-init.conf`);
    expect(conf.indexOf('SetHostNamePlugin')).toBeLessThan(conf.indexOf('UserDataPlugin'));
  });

  test('a second run changes nothing', async () => {
    const before = await machinePicture(machine);
    expect(await provision({ role: 'worker' })).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    expect(await machinePicture(machine)).toEqual(before);
  });

  test.each([
    ['a token', 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf', 'users:\n- user:\n    token: abcdef.0123456789abcdef\n'],
    ['a key', 'C:\\Users\\Public\\.ssh\\id_ed25519', '-----BEGIN OPENSSH PRIVATE KEY-----\n'],
    [
      'a password',
      'C:\\windows\\Panther\\unattend.xml',
      '<AdministratorPassword><Value>hunter2</Value></AdministratorPassword>',
    ],
  ])('%s that was left behind is found, and not shown', async (_what, path, content) => {
    const file = machine.node.hostPath(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    const answer = await verify();
    await rm(file);
    expect(failedIn(answer)).toEqual(['secrets']);
    expect(answer.said).toContain(path.split('\\').at(-1));
    expect(answer.said).not.toMatch(/hunter2|abcdef\.0123/);
  });

  test('a containerd of another version than the file says is found', async () => {
    expect(failedIn(await verify({ role: 'worker', otherVersion: true }))).toContain('containerd-version');
  });

  test('what someone has changed is found, and put right by another run', async () => {
    await appendFile(machine.node.hostPath(`${CLOUDBASE}\\conf\\cloudbase-init.conf`), 'debug=true\r\n');
    expect(failedIn(await verify())).toEqual(['cloudbase-init']);
    expect(await provision({ role: 'worker' })).toMatchObject({ outcome: 'applied' });
    expect(failedIn(await verify())).toEqual([]);
  });
});

test('an image of an edge node carries the agent and no kubelet', async () => {
  const machine = await windowsMachine(unlimited(), { shared: [downloads.folder] });
  try {
    const file = await writeImageFile(downloads, { role: 'edge' });
    await mustDo(machine, ['image', 'provision', '--config', file]);
    expect(existsSync(machine.node.hostPath(machine.paths.agent))).toBe(true);
    expect(existsSync(machine.node.hostPath('C:\\k\\kubelet.exe'))).toBe(false);
    const answer = await ask(machine, ['image', 'verify', '--config', file, ...NOT_IN_WINE]);
    expect(failedIn(answer), answer.said).toEqual([]);
  } finally {
    await machine.node.stop();
  }
});

function failedIn({ said }: Answer): readonly string[] {
  const json = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  return Checks.parse(JSON.parse(json))
    .checks.filter(({ verdict }) => verdict === 'fail')
    .map(({ name }) => name);
}
