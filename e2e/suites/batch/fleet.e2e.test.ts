/**
 * The whole life of a fleet by `keadm batch`: Linux nodes with systemd and Windows nodes, each behind an SSH server of its
 * own, join one cloud from one file, are upgraded in waves, get a wrong upgrade, and are reset.
 */
import { copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionTag } from '@fenestra/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { OPERATOR } from '../../support/beds/linux-ssh.ts';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { BEHAVIOUR_PLACES } from '../../support/releases/behaviour.ts';
import { KEY_FILE } from '../../support/releases/make-releases.ts';
import { testReleases, versionOf } from '../../support/releases/test-releases.ts';
import { OWN_VERSION } from '../../support/releases/versions.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { type BatchAnswer, failuresIn, problemsIn, statesIn } from './controller.ts';
import { leftByRuns, type NodeTraces, tracesOf } from './fleet-node.ts';
import { type FleetSite, joinCommand, startFleetSite } from './fleet-site.ts';
import { secretsBelow, secretsOnNodes, secretsWhile } from './secret-watch.ts';

const COUNTS = isShortRun() ? { linux: 3, windows: 1 } : { linux: 20, windows: 2 };
const rows: (readonly (string | number)[])[] = [];
const said: string[] = [];
let site: FleetSite;
let releases: Readonly<Record<'linux' | 'windows', string>>;
let firstSeconds = 0;

beforeAll(async () => {
  releases = { linux: await testReleases('linux-x64'), windows: await testReleases('windows-x64') };
  site = await startFleetSite(COUNTS);
});
afterAll(async () => {
  process.stdout.write(`${textTable(['run', 'nodes', 'seconds'], rows)}\n`);
  await site.stop();
});

test('the plan says what would happen to each node, and changes nothing', async () => {
  const file = await site.controller.write('join.yaml', site.fileFor(joinCommand(site.cloud)));
  const answer = await site.controller.batch(['plan', '-c', file, '--known-hosts', site.controller.knownHosts]);
  expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${site.nodes.length} to change`) });
  for (const node of site.nodes) expect(await leftByRuns(node)).toEqual([]);
  expect(await site.inCloud()).toEqual([]);
});

test('one file joins them all, and no one sees a secret', async () => {
  const file = join(site.controller.folder, 'join.yaml');
  const secrets = [site.token, OPERATOR.password];
  const { result, seen } = await secretsWhile(site.nodes, secrets, async () => run('join', ['-c', file]));
  firstSeconds = result.seconds;
  expect(problemsIn(result)).toEqual([]);
  expect(seen).toEqual([]);
  expect(await site.inCloud()).toEqual(site.nodes.map(({ name }) => name).toSorted());
  for (const node of site.nodes) {
    expect(await tracesOf(node)).toMatchObject({ version: OWN_VERSION, connected: true });
    expect(await leftByRuns(node)).toEqual([]);
  }
  expect(await secretsOnNodes(site.nodes, secrets)).toEqual([]);
});

test('a second run finds all up to date, and costs little', async () => {
  const before = await allTraces();
  const answer = await run('join again', ['-c', join(site.controller.folder, 'join.yaml')]);
  expect(problemsIn(answer)).toEqual([]);
  expect(new Set(Object.values(statesIn(answer)))).toEqual(new Set(['unchanged']));
  expect(await allTraces()).toEqual(before);
  // Of a few nodes, the fixed cost of starting is most.
  if (!isShortRun()) expect(answer.seconds).toBeLessThan(firstSeconds / 10);
});

test('a Windows machine can be the controller', async () => {
  const windows = site.nodes.find(({ os }) => os === 'windows');
  if (windows === undefined) throw new Error('There is no Windows node');
  const { node } = windows;
  await mkdir(node.hostPath(inPublic('')), { recursive: true });
  await copyFile(join(CHECKOUT, 'dist/windows-x64/keadm.exe'), node.hostPath(inPublic('keadm.exe')));
  await copyFile(site.keyFile, node.hostPath(inPublic('key')));
  await copyFile(site.controller.knownHosts, node.hostPath(inPublic('known_hosts')));
  const nodes = [{ nodeName: 'shop-02', ssh: { ip: '127.0.0.1', port: site.nodes[1]?.port } }];
  const content = JSON.stringify(site.fileFor('history', { groups: {}, nodes }));
  await writeFile(node.hostPath(inPublic('batch.yaml')), content.replaceAll(site.keyFile, 'C:/Users/Public/key'));
  const program = `linux-x64=${toWindowsPath(join(CHECKOUT, 'dist/linux-x64/keadm'))}`;
  const flags = ['--known-hosts', inPublic('known_hosts'), '--program', program, '--runs', inPublic('runs')];
  const answer = await node.run(inPublic('keadm.exe'), ['batch', 'run', '-c', inPublic('batch.yaml'), ...flags]);
  expect(answer).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('[shop-02] done') });
});

test('an upgrade goes through them in waves', async () => {
  const version = versionOf('good');
  const folder = join(site.controller.folder, 'good', 'amd64');
  await mkdir(folder, { recursive: true });
  await symlink(join(releases.linux, 'good', 'keadm'), join(folder, 'keadm'));
  await symlink(join(releases.windows, 'good', 'keadm.exe'), join(folder, 'keadm.exe'));
  const file = await site.controller.write(
    'upgrade.yaml',
    site.fileFor(`upgrade --version ${versionTag(version)} --settle 0s`, {
      keadm: { keadmBinDir: join(site.controller.folder, 'good') },
      waves: [
        { name: 'canary', size: 1, soak: '3s' },
        { name: 'half', size: '50%' },
      ],
    }),
  );
  const answer = await run('upgrade', ['-c', file]);
  expect(problemsIn(answer)).toEqual([]);
  expect(answer.events.flatMap((event) => (event.type === 'wave-begun' ? [event.wave] : []))).toEqual([
    'canary',
    'half',
    'rest',
  ]);
  for (const node of site.nodes) expect(await tracesOf(node)).toMatchObject({ version, connected: true });
});

test('a wrong upgrade halts at the canaries, is rolled back there, and reaches no one else', async () => {
  const [exits, crashes, ...others] = site.nodes;
  if (exits === undefined || crashes === undefined) throw new Error('There are too few nodes');
  await writeFile(exits.node.hostPath(BEHAVIOUR_PLACES['linux-x64'].file), 'exit');
  await writeFile(crashes.node.hostPath(BEHAVIOUR_PLACES['linux-x64'].file), 'crash');
  const before = await Promise.all(others.map(tracesOf));
  const version = versionTag(versionOf('misbehaving'));
  const file = await site.controller.write(
    'wrong.yaml',
    site.fileFor(`upgrade --from . --trust-key ${KEY_FILE} --version ${version} --wait 30s --settle 0s`, {
      waves: [{ name: 'canary', size: 2, soak: '5s' }],
      onHalt: 'roll-back',
      defaults: { copyFrom: await wrongRelease() },
    }),
  );
  const answer = await run('wrong upgrade', ['-c', file]);
  expect(answer.exitCode).toBe(102);
  const states = statesIn(answer);
  expect([states[exits.name], states[crashes.name]]).toEqual(['rolled-back', 'rolled-back']);
  expect(new Set(others.map(({ name }) => states[name]))).toEqual(new Set(['held']));
  expect(await Promise.all(others.map(tracesOf))).toEqual(before);
  for (const node of [exits, crashes]) {
    await expect
      .poll(async () => tracesOf(node), { timeout: 30_000 })
      .toMatchObject({
        version: versionOf('good'),
        connected: true,
      });
    expect(await leftByRuns(node)).toEqual([]);
  }
});

test('a wrong password for sudo is reported as one, and costs the account a single try', async () => {
  const file = join(site.controller.folder, 'join.yaml');
  const only = ['-c', file, '--only', 'shop-01', ...kept()];
  const answer = await site.controller.start(only, { env: { SUDO_PASSWORD: 'wrong' } }).ended;
  expect(answer.exitCode).toBe(101);
  expect(failuresIn(answer)).toEqual({ 'shop-01': 'BECOME_REFUSED' });
  const log = await site.nodes[0]?.node.run('journalctl', ['--identifier', 'sudo', '--no-pager', '--output', 'cat']);
  expect(log?.stdout.match(/\d+ incorrect password attempts?/g)).toEqual(['1 incorrect password attempt']);
});

test('a reset leaves the cloud empty, and nothing of any run on the nodes', async () => {
  const access = join(site.controller.folder, 'access');
  await mkdir(access, { mode: 0o700 });
  await copyFile(site.cloud.machine.node.hostPath(site.cloud.kubeconfig), join(access, 'admin.kubeconfig'));
  const file = await site.controller.write(
    'reset.yaml',
    site.fileFor('reset --kubeconfig admin.kubeconfig --no-drain', { defaults: { copyFrom: access } }),
  );
  const answer = await run('reset', ['-c', file]);
  expect(problemsIn(answer)).toEqual([]);
  expect(await site.inCloud()).toEqual([]);
  for (const node of site.nodes) {
    expect(await tracesOf(node)).toMatchObject({ version: undefined });
    expect(await leftByRuns(node)).toEqual([]);
  }
});

test('no secret is in anything that was printed or kept', async () => {
  const report = await site.controller.batch(['report', '--format', 'html', '--runs', site.controller.runs]);
  expect(report).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('</html>') });
  const secrets = [site.token, OPERATOR.password];
  expect([...said, report.stdout].filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  expect(await secretsBelow(site.controller.runs, secrets)).toEqual([]);
});

function kept(): readonly string[] {
  return ['--runs', site.controller.runs, '--known-hosts', site.controller.knownHosts];
}

/** A run as programs start it, which prints all that happens. */
async function run(what: string, args: readonly string[]): Promise<BatchAnswer> {
  const answer = await site.controller.start(['run', ...args, ...kept()]).ended;
  said.push(answer.stdout, answer.stderr);
  rows.push([what, site.nodes.length, Math.round(answer.seconds)]);
  return answer;
}

async function allTraces(): Promise<readonly NodeTraces[]> {
  return Promise.all(site.nodes.map(tracesOf));
}

/** A folder with a release that is signed, and not fit to be an agent. */
async function wrongRelease(): Promise<string> {
  const folder = join(site.controller.folder, 'wrong');
  await cp(join(releases.linux, 'misbehaving'), folder, { recursive: true });
  await copyFile(join(releases.linux, KEY_FILE), join(folder, KEY_FILE));
  return folder;
}

function inPublic(name: string): string {
  return `C:\\Users\\Public\\${name}`;
}
