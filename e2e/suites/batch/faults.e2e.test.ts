/** What machines and networks do to `keadm batch`, each on a real SSH server. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '@fenestra/platform/testing/free-port';
import { openRelay } from '../../support/cloud/relay.ts';
import { openDatedServer } from '../../support/faults/clock-relay.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { hubCredentials } from '../../support/security/hostile-hub.ts';
import { attemptsIn, type BatchAnswer, failuresIn, problemsIn, statesIn } from './controller.ts';
import { openCuttingRelay } from './cutting-relay.ts';
import {
  CHEAP,
  fileFor,
  folderWith,
  otherKeadm,
  runOn,
  sessionWithClockOff,
  spoiltKnownHosts,
  storedPrograms,
  strangeKey,
} from './fault-parts.ts';
import { FAULTS } from './faults.ts';
import { keyAuth } from './fleet-site.ts';
import { openSmallDisk } from './small-disk.ts';
import {
  joinsOf,
  leftBelow,
  PLAIN_SESSION,
  type PlainNode,
  type PlainSite,
  setShell,
  startPlainSite,
} from './plain-site.ts';

const MACHINES = 29;
const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000;
/** A part of it looks like what keadm waits for. */
const BANNER = 'Authorised use only.\nfenestra;posix;do not be fooled\n';
const rows: (readonly (string | number)[])[] = [];
let site: PlainSite;
let machines: Iterator<PlainNode>;
let bannerFolder: string;

beforeAll(async () => {
  bannerFolder = await mkdtemp(join(tmpdir(), 'fenestra-banner-'));
  await writeFile(join(bannerFolder, 'banner'), BANNER);
  site = await startPlainSite(MACHINES, { extraConfig: [`Banner ${join(bannerFolder, 'banner')}`] });
  machines = site.nodes[Symbol.iterator]();
});
afterAll(async () => {
  process.stdout.write(`${textTable(['fault', 'exit', 'ended as', 'reason', 'seconds'], rows)}\n`);
  await site.stop();
  await rm(bannerFolder, { recursive: true });
});

describe('in one run with a healthy machine', () => {
  let answer: BatchAnswer;
  let mute: Server;
  const names: Record<string, PlainNode> = {};

  beforeAll(async () => {
    mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    for (const name of ['healthy', 'refuses', 'says-nothing', 'changed-key', 'unknown-key', 'wrong-login']) {
      names[name] = { ...nextMachine(), name };
    }
    const address = mute.address();
    const strange = await strangeKey(site);
    const own = {
      refuses: { ssh: { port: await freePort() } },
      'says-nothing': {
        ssh: { port: typeof address === 'object' && address !== null ? address.port : 0 },
        timeouts: { connect: '2s' },
      },
      'wrong-login': { ssh: { auth: keyAuth(strange) } },
    };
    const knownHosts = await spoiltKnownHosts(site, strange, named('changed-key'), named('unknown-key'));
    const file = await site.controller.write('many.yaml', site.fileFor(Object.values(names), { own }));
    answer = await site.controller.start(['-c', file, '--runs', site.controller.runs, '--known-hosts', knownHosts])
      .ended;
  });
  afterAll(() => void mute.close());

  test('the others are not stopped by it, and the exit code says that some failed', async () => {
    expect(answer.exitCode).toBe(101);
    expect(statesIn(answer)['healthy']).toBe('done');
    expect(await joinsOf(named('healthy'))).toBe(1);
  });

  test.each([
    ['refuses', 'REMOTE_UNREACHABLE', 'unreachable', 3],
    ['says-nothing', 'REMOTE_TIMEOUT', 'unreachable', 3],
    ['changed-key', 'HOST_KEY_CHANGED', 'failed', 1],
    ['unknown-key', 'HOST_KEY_UNKNOWN', 'failed', 1],
    ['wrong-login', 'REMOTE_AUTH', 'failed', 1],
  ])('a machine that is "%s" ends with %s, as %s, after %d attempt(s)', async (name, code, state, attempts) => {
    note(name, answer, name);
    expect([failuresIn(answer)[name], statesIn(answer)[name]]).toEqual([code, state]);
    expect(attemptsIn(answer, name, 'surveying')).toBe(attempts);
    expect(await leftBelow(named(name))).toEqual([]);
  });

  function named(name: string): PlainNode {
    const node = names[name];
    if (node === undefined) throw new Error(`There is no machine "${name}"`);
    return node;
  }
});

test('--accept-new takes the key of a machine that nothing is known about, and records it', async () => {
  const node = nextMachine();
  const knownHosts = join(site.controller.folder, 'new_known_hosts');
  const file = await fileFor(site, node, { keadmCmd: CHEAP });
  const flags = ['-c', file, '--runs', site.controller.runs, '--known-hosts', knownHosts];
  const answer = await site.controller.start([...flags, '--accept-new']).ended;
  note('new key, --accept-new', answer, node.name);
  expect(answer).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Recorded the ssh-ed25519 key') });
  expect(await readFile(knownHosts, 'utf8')).toContain(`[127.0.0.1]:${node.port} ssh-ed25519`);
  expect(await site.controller.start(flags).ended).toMatchObject({ exitCode: 0 });
});

test('a machine from which nothing ever comes back is given up in time', async () => {
  const file = await fileFor(site, { ...nextMachine(), host: '192.0.2.7' }, { keadmCmd: CHEAP, defaults: FLEETING });
  // Its own network, in which the way there ends at once.
  const hole = 'ip link set lo up && ip route add 192.0.2.0/24 dev lo && exec "$@"';
  const wrapper = ['unshare', '--net', 'sh', '-c', hole, 'sh'];
  const answer = await site.controller.start(['-c', file, ...site.flags], { wrapper }).ended;
  note('black hole', answer);
  expect(answer.exitCode).toBe(101);
  expect(Object.values(failuresIn(answer))).toEqual(['REMOTE_TIMEOUT']);
  expect(answer.seconds).toBeLessThan(15);
});

test('a machine that dies in the middle of an upload gets the rest of the work at the next attempt', async () => {
  const node = nextMachine();
  // A connection that was only waiting is made again at once; the second cut is one that counts.
  const relay = await openCuttingRelay(node.port, 20 * 1024 * 1024, 2);
  const answer = await runOn(site, node, {
    keadmCmd: CHEAP,
    ssh: { port: relay.port },
    more: { delivery: 'push' },
  });
  await relay.close();
  note('dies in mid-upload', answer, node.name);
  expect([answer.exitCode, relay.cuts(), attemptsIn(answer, node.name, 'delivering')]).toEqual([0, 2, 2]);
  expect(await leftBelow(node)).toEqual([]);
});

test('a disk without room for it is found before anything is sent', async () => {
  const node = nextMachine();
  await using disk = await openSmallDisk(node);
  await setShell(node, disk.session());
  const answer = await runOn(site, node, { keadmCmd: CHEAP });
  note('full disk', answer, node.name);
  expect([answer.exitCode, failuresIn(answer)[node.name]]).toEqual([101, 'DISK_FULL']);
  expect(attemptsIn(answer, node.name, 'delivering')).toBe(0);
});

test('a disk that fills up while something is sent is reported as full, not tried again, and nothing is left on it', async () => {
  const node = nextMachine();
  await using disk = await openSmallDisk(node);
  const tools = await folderWith(site, 'lying', { df: LYING_DF });
  await setShell(node, disk.session(`PATH="${tools}:$PATH"`));
  const answer = await runOn(site, node, { keadmCmd: CHEAP, more: { delivery: 'push' } });
  note('disk fills up', answer, node.name);
  expect([answer.exitCode, failuresIn(answer)[node.name]]).toEqual([101, 'DISK_FULL']);
  expect(attemptsIn(answer, node.name, 'delivering')).toBe(1);
  expect(await disk.files()).toEqual([]);
});

test('a command that hangs is ended at its limit, with all that it has started, and not tried again', async () => {
  const node = nextMachine();
  const copyFrom = await folderWith(site, 'hang', { 'hang.sh': '#!/bin/sh\nsleep 98765 &\nwait\n' });
  const answer = await runOn(site, node, {
    keadmCmd: `${site.joining} --pre-run hang.sh`,
    defaults: { copyFrom, timeouts: { command: '3s' } },
  });
  note('command hangs', answer, node.name);
  expect([answer.exitCode, failuresIn(answer)[node.name]]).toEqual([101, 'REMOTE_TIMEOUT']);
  expect(attemptsIn(answer, node.name, 'executing')).toBe(1);
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 98765');
  expect(await leftBelow(node)).toEqual([]);
});

test('a connection that is cut after the command has begun is resumed: the command runs once', async () => {
  const node = nextMachine();
  const port = await freePort();
  const relay = await openRelay({ port }, { port: node.port });
  const file = await fileFor(site, node, { ssh: { port } });
  const running = site.controller.start(['-c', file, ...site.flags]);
  await running.until((event) => event.type === 'node-log');
  await relay.cut();
  await delay(1000);
  await relay.restore();
  const answer = await running.ended;
  await relay.close();
  note('connection cut in the command', answer, node.name);
  expect([answer.exitCode, statesIn(answer)[node.name], await joinsOf(node)]).toEqual([0, 'done', 1]);
  expect(answer.stdout).toContain('reconnecting to the command');
  expect(await leftBelow(node)).toEqual([]);
});

test('a cloud that answers only after a while is asked again, by a keadm that was killed in between, too', async () => {
  const node = nextMachine();
  const { hub } = site.cloud.ports;
  const port = await freePort();
  const keadmCmd = site.joining.replace(`--hub-port ${hub}`, `--hub-port ${port}`);
  const file = await fileFor(site, node, { keadmCmd, defaults: PATIENT });
  const killed = site.controller.start(['-c', file, ...site.flags]);
  const reported = await killed.until((event) => event.type === 'node' && event.state === 'retrying');
  killed.signal('SIGKILL');
  await killed.ended;
  expect(reported).toMatchObject({ attempt: 2, failure: { message: expect.stringContaining('[HUB_UNREACHABLE]') } });
  const resumed = site.controller.start(['resume', ...site.flags]);
  await resumed.until((event) => event.type === 'node' && event.state === 'retrying');
  const relay = await openRelay({ port }, { port: hub });
  const answer = await resumed.ended;
  await relay.close();
  note('cloud answers later', answer, node.name);
  expect(problemsIn(answer)).toEqual([]);
  expect(attemptsIn(answer, node.name, 'executing')).toBeGreaterThan(2);
  expect([await joinsOf(node), await leftBelow(node)]).toEqual([1, []]);
});

test('a machine without tar, gzip, curl and digests, with a banner and a talkative profile, is joined', async () => {
  const node = nextMachine();
  const tools = join(node.home, 'tools');
  await mkdir(tools);
  for (const tool of FEW_TOOLS)
    await symlink(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(tools, tool));
  await setShell(
    node,
    `echo Welcome; echo "fenestra-begin?"; echo 'warning: no terminal' >&2
export PATH=${tools}
exec sh -c "$SSH_ORIGINAL_COMMAND"
`,
  );
  const answer = await runOn(site, node, {});
  note('few tools, much noise', answer, node.name);
  expect([answer.exitCode, await joinsOf(node)]).toEqual([0, 1]);
});

test('what each node said is kept apart, and the lines for people begin with the node', async () => {
  const nodes = [nextMachine(), nextMachine()];
  const file = await site.controller.write('lines.yaml', site.fileFor(nodes));
  const answer = await site.controller.batch(['-c', file, ...site.flags]);
  expect(problemsIn(answer)).toEqual([]);
  const [newest = ''] = (await readdir(site.controller.runs)).toSorted().toReversed();
  for (const { name } of nodes) {
    expect(answer.stderr).toMatch(new RegExp(`^\\S+ \\[${name}\\] `, 'm'));
    expect(await readdir(join(site.controller.runs, newest, 'nodes'))).toContain(`${name}.log`);
  }
});

test('what an earlier run said is kept as it was when another one follows', async () => {
  const node = nextMachine();
  const before = await readdir(site.controller.runs);
  const first = await runOn(site, node, {});
  const [id = ''] = (await readdir(site.controller.runs)).filter((name) => !before.includes(name));
  const kept = await keptBy(id);
  const second = await runOn(site, node, { keadmCmd: CHEAP });
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect((await readdir(site.controller.runs)).length).toBe(before.length + 2);
  expect(await keptBy(id)).toEqual(kept);
  expect(kept[`nodes/${node.name}.log`]).toContain('edgecore');
});

test('the controller needs no other program', async () => {
  const file = await fileFor(site, nextMachine(), { keadmCmd: CHEAP });
  const answer = await site.controller.start(['-c', file, ...site.flags], { env: { PATH: '/nonexistent' } }).ended;
  expect(problemsIn(answer)).toEqual([]);
});

test('a clock that is years off is reported by the plan, stops the join there, and is no matter once it is right', async () => {
  const node = nextMachine();
  await setShell(node, await sessionWithClockOff('-10y'));
  const { https } = site.cloud.ports;
  const port = await freePort();
  // Programs that keadm starts do not load what the session preloads, so for them the cloud's clock is off.
  const dated = await openDatedServer({ port, to: https }, await hubCredentials(site.cloud.api), TEN_YEARS_MS);
  const keadmCmd = site.joining.replace(`--certport ${https}`, `--certport ${port}`);
  const file = await fileFor(site, node, { keadmCmd });
  const plan = await site.controller.batch(['plan', '-c', file, '--known-hosts', site.sshd.knownHosts]);
  expect(plan).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/its clock is 31\d{7} s behind/) });
  const answer = await site.controller.start(['-c', file, ...site.flags]).ended;
  note('clock ten years behind', answer, node.name);
  expect([answer.exitCode, failuresIn(answer)[node.name]]).toEqual([101, 'REMOTE_COMMAND_FAILED']);
  expect(problemsIn(answer).join('\n')).toMatch(
    /clock: Cannot join: the clock of this machine shows 20\d\d-.* at the cloud it is/,
  );
  expect(await joinsOf(node)).toBe(0);
  expect(await leftBelow(node)).toEqual([]);
  await setShell(node, PLAIN_SESSION);
  dated.setOffset(0);
  const dry = await site.controller.batch(['retry', '--dry-run', ...site.flags]);
  expect([dry.exitCode, dry.stdout.includes(node.name), await joinsOf(node)]).toEqual([0, true, 0]);
  expect(problemsIn(await site.controller.start(['retry', ...site.flags]).ended)).toEqual([]);
  expect(await joinsOf(node)).toBe(1);
  await dated.close();
});

test('a folder is copied with all that is in it, and a secret stays one', async () => {
  const node = nextMachine();
  const copyFrom = await folderWith(site, 'files', {
    'inner/deep/check.sh':
      '#!/bin/sh\n[ "$(stat -c %a secret)" = 600 ] && [ "$(stat -c %a inner/deep/check.sh)" = 755 ]\n',
    secret: 'x',
  });
  await chmod(join(copyFrom, 'secret'), 0o600);
  const answer = await runOn(site, node, {
    keadmCmd: `${site.joining} --pre-run inner/deep/check.sh`,
    defaults: { copyFrom },
  });
  expect([answer.exitCode, await joinsOf(node), await leftBelow(node)]).toEqual([0, 1, []]);
});

test('a machine behind another one is reached through it', async () => {
  const [gate, node] = [nextMachine(), nextMachine()];
  const jump = { ip: gate.host, port: gate.port, username: site.sshd.user, auth: keyAuth(site.sshd.keyFile) };
  const answer = await runOn(site, node, { keadmCmd: CHEAP, ssh: { jump: 'gate' }, more: { jumps: { gate: jump } } });
  expect([answer.exitCode, statesIn(answer)[node.name]]).toEqual([0, 'done']);
});

test('an interruption lets the command end and holds the rest; a second one undoes it and leaves nothing behind', async () => {
  const [first, second] = [nextMachine(), nextMachine()];
  const copyFrom = await folderWith(site, 'slow', { 'slow.sh': '#!/bin/sh\nsleep 4\n' });
  const content = site.fileFor([first, second], {
    defaults: { copyFrom, keadmCmd: `${site.joining} --pre-run slow.sh` },
    maxRunNum: 1,
  });
  const file = await site.controller.write('interrupted.yaml', content);
  const held = site.controller.start(['-c', file, ...site.flags]);
  await held.until((event) => event.type === 'node' && event.node === first.name && event.state === 'executing');
  held.signal('SIGINT');
  const answer = await held.ended;
  expect([answer.exitCode, statesIn(answer)]).toEqual([130, { [first.name]: 'done', [second.name]: 'held' }]);
  const aborted = site.controller.start(['resume', ...site.flags]);
  await aborted.until((event) => event.type === 'node' && event.node === second.name && event.state === 'executing');
  await delay(1500);
  aborted.signal('SIGINT');
  await delay(200);
  aborted.signal('SIGINT');
  const undone = await aborted.ended;
  note('interrupted twice', undone, second.name);
  expect(undone.exitCode).toBe(130);
  expect(statesIn(undone)[first.name] ?? 'done').toBe('done');
  expect(await leftBelow(second)).toEqual([]);
  expect(statesIn(undone)[second.name]).toBe('rolled-back');
});

test('a run that another keadm goes on with leaves a command to the keadm that began it, and does it once', async () => {
  const [begun, waiting] = [nextMachine(), nextMachine()];
  const copyFrom = await folderWith(site, 'steady', { 'steady.sh': '#!/bin/sh\nsleep 4\n' });
  const content = site.fileFor([begun, waiting], {
    defaults: { copyFrom, keadmCmd: `${site.joining} --pre-run steady.sh` },
    maxRunNum: 1,
  });
  const file = await site.controller.write('versions.yaml', content);
  const killed = site.controller.start(['-c', file, ...site.flags]);
  await killed.until((event) => event.type === 'node-log' && event.node === begun.name);
  killed.signal('SIGKILL');
  await killed.ended;
  const other = await otherKeadm(site);
  const answer = await site.controller.start(['resume', '--program', `linux-x64=${other.path}`, ...site.flags]).ended;
  note('resumed by another keadm', answer, begun.name);
  expect(problemsIn(answer)).toEqual([]);
  expect([await joinsOf(begun), await joinsOf(waiting)]).toEqual([1, 1]);
  expect(await storedPrograms(begun)).not.toContain(other.sha256);
  expect(await storedPrograms(waiting)).toEqual([other.sha256]);
  expect([...(await leftBelow(begun)), ...(await leftBelow(waiting))]).toEqual([]);
});

describe('exit codes', () => {
  test('a file that is wrong is 60, a wrong command line 2, a run that no one knows 103', async () => {
    const file = await site.controller.write('wrong.yaml', { nodes: [{ nodeName: 'a' }], colour: 'red' });
    expect(await site.controller.batch(['-c', file])).toMatchObject({
      exitCode: 60,
      stderr: expect.stringMatching(/must be given[^]*unknown key/),
    });
    expect((await site.controller.batch(['run'])).exitCode).toBe(2);
    expect((await site.controller.batch(['status', 'no-such-run', ...site.flags.slice(0, 2)])).exitCode).toBe(103);
  });
});

const FLEETING = { retries: { attempts: 2, firstDelay: '1s', longestDelay: '1s' }, timeouts: { connect: '3s' } };
const PATIENT = { retries: { attempts: 6, firstDelay: '2s', longestDelay: '2s' } };
const FEW_TOOLS = [
  'sh',
  'dd',
  'cat',
  'mkdir',
  'rm',
  'mv',
  'cp',
  'chmod',
  'touch',
  'find',
  'df',
  'wc',
  'id',
  'uname',
  'date',
  'sed',
  'tr',
  'grep',
  'head',
];
/** It promises room until something is written. */
const LYING_DF = `#!/bin/sh
[ -e "$HOME/var/lib/fenestra/batch/runs" ] && exec /bin/df "$@"
echo head
echo disk 0 0 9999999 0% /mnt
`;

/** What a run has kept, by file. */
async function keptBy(id: string): Promise<Readonly<Record<string, string>>> {
  const folder = join(site.controller.runs, id);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const)),
  );
}

function nextMachine(): PlainNode {
  const { value, done } = machines.next();
  if (done === true) throw new Error('There are too few machines');
  return value;
}

/** Softly, because what the test itself expects tells more about what went wrong. */
function note(fault: string, answer: BatchAnswer, node = Object.keys(statesIn(answer))[0] ?? ''): void {
  const { exitCode, seconds } = answer;
  const state = statesIn(answer)[node];
  const code = state === 'done' ? undefined : failuresIn(answer)[node];
  rows.push([fault, exitCode, state ?? '', code ?? '', Math.round(seconds)]);
  expect.soft({ exitCode, state, code }).toEqual(FAULTS.find(({ name }) => name === fault)?.end);
}
