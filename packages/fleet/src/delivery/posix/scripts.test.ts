import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payload, NodeWork, Task } from '../far-system.ts';
import { openPacker } from '../loads.ts';
import { EMPTY_PARCEL, readParcel } from '../parcel.ts';
import { openPullServer } from '../pull-server.ts';
import { localHosts, type LocalHosts } from '../testing/local-hosts.ts';
import { testContext, testEffect, testNode } from '../testing/test-node.ts';
import type { PosixWays } from './deliver.ts';
import { posixSystem } from './posix-system.ts';

let scratch = '';
let payload: Payload;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'deliver-'));
  const program = randomBytes(300_000);
  writeFileSync(join(scratch, 'program'), program);
  const folder = join(scratch, 'copy');
  mkdirSync(join(folder, 'deep/er'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, "it's a secret "), 'hush', { mode: 0o600 });
  writeFileSync(join(folder, 'deep/er/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'deep/empty'), '');
  writeFileSync(join(folder, 'large'), randomBytes(1_500_000), { mode: 0o644 });
  payload = {
    program: { path: join(scratch, 'program'), size: program.length, sha256: sha256(program), version: '1.2.3' },
    parcel: await readParcel(folder),
  };
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function ways(
  delivery: PosixWays['delivery'],
  scratchFolder = scratch,
  compress: PosixWays['compress'] = 'auto',
): PosixWays {
  const pullServer = openPullServer({ random: randomBytes, now: () => new Date() });
  return { packer: openPacker({ scratchFolder }), pullServer, delivery, compress };
}

/** Nothing but what busybox has, and of that only some. */
function poorUserland(...names: readonly string[]): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  for (const name of names) symlinkSync('/usr/bin/busybox', join(folder, name));
  return folder;
}

const BUSYBOX =
  'sh cat dd head mkdir rm mv cp chmod wc ls df touch find id uname date sed tr grep printf sha256sum'.split(' ');

/** A dd that can only read what is there, as old systems have it. */
function oldDd(): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  const script = '#!/bin/sh\ncase "$*" in *iflag*) exit 1 ;; esac\nexec /usr/bin/dd "$@"\n';
  writeFileSync(join(folder, 'dd'), script, { mode: 0o755 });
  return folder;
}

function bashAsSh(): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  symlinkSync('/usr/bin/bash', join(folder, 'sh'));
  return folder;
}

const MACHINES: Readonly<Record<string, () => { shell: readonly string[]; path: string }>> = {
  dash: () => ({ shell: ['sh', '-c'], path: '/usr/bin:/bin' }),
  bash: () => ({ shell: ['bash', '--posix', '-c'], path: `${bashAsSh()}:/usr/bin:/bin` }),
  'old dd': () => ({ shell: ['sh', '-c'], path: `${oldDd()}:/usr/bin:/bin` }),
  busybox: () => ({ shell: ['/usr/bin/busybox', 'sh', '-c'], path: poorUserland(...BUSYBOX) }),
};

interface Machine {
  readonly hosts: LocalHosts;
  readonly root: string;
  readonly task: (nodeRoot?: string) => Promise<Task>;
}

function machine(shell: readonly string[], path: string, { noise = '' } = {}): Machine {
  const root = mkdtempSync(join(scratch, 'root-'));
  const env = { PATH: path, HOME: root, SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 2' };
  const [program = '', ...first] = shell;
  const line = `${noise}${['exec', program, ...first].join(' ')} "$1"`;
  const hosts = localHosts({ shell: noise === '' ? shell : ['sh', '-c', line, 'sh'], env });
  return {
    hosts,
    root,
    async task(nodeRoot = root) {
      const { signal } = new AbortController();
      const node = testNode(hosts.target, ['join', '--root', nodeRoot]);
      return {
        node,
        effect: { ...testEffect, root: nodeRoot },
        host: await hosts.connect(hosts.target, signal),
        context: testContext(),
        signal,
      };
    },
  };
}

function workOf({ node: { name }, context: { runId }, effect: { root } }: Task): NodeWork {
  return { name, runId, root };
}

describe.each(Object.keys(MACHINES))('%s', (name) => {
  const open = (): Machine => {
    const { shell, path } = MACHINES[name]?.() ?? { shell: [], path: '' };
    return machine(shell, path);
  };
  const system = posixSystem(ways('push'));

  test('all of it arrives as it is, and only once', async () => {
    const { root, task } = open();
    const first = await task();
    const { facts, notes } = await system.look(first);
    expect(facts).toMatchObject({ os: 'linux', configured: false, running: false, elevated: process.getuid?.() === 0 });
    expect(facts.freeBytes).toBeGreaterThan(0);
    const missing = system.missing(notes, payload);
    expect(missing).toMatchObject({ program: true, bytes: payload.program.size + payload.parcel.bytes });

    await system.deliver(first, notes, payload, missing);
    const places = system.places(workOf(first), notes, payload.program.sha256);
    expect(sha256(readFileSync(places.program))).toBe(payload.program.sha256);
    expect(statSync(places.program).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(places.filesFolder, "it's a secret "), 'utf8')).toBe('hush');
    expect(statSync(join(places.filesFolder, "it's a secret ")).mode & 0o777).toBe(0o600);
    expect(statSync(join(places.filesFolder, 'deep/er/run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(join(places.filesFolder, 'deep/empty')).size).toBe(0);
    expect(statSync(join(root, 'var/lib/fenestra')).mode & 0o777).toBe(0o700);

    const again = await system.look(await task());
    expect(again.notes['left']).toBe('true');
    expect(system.missing(again.notes, payload)).toEqual({
      program: false,
      files: [],
      bytes: 4 + '#!/bin/sh\n'.length,
    });
    await system.deliver(first, again.notes, payload, system.missing(again.notes, payload));
    expect(statSync(join(places.filesFolder, 'large')).size).toBe(1_500_000);

    await system.tidy(first, places);
    expect((await system.look(first)).notes['left']).toBe('false');
  });

  test('a program whose bytes are others than announced is not kept', async () => {
    const { task } = open();
    const one = await task();
    const { notes } = await system.look(one);
    const other: Payload = { program: { ...payload.program, sha256: 'a'.repeat(64) }, parcel: EMPTY_PARCEL };
    await expect(system.deliver(one, notes, other, system.missing(notes, other))).rejects.toMatchObject({
      code: 'DELIVERY_FAILED',
      message: expect.stringContaining(payload.program.sha256),
    });
    expect((await system.look(one)).notes['store']).toBe('');
  });
});

test('a program that has become shorter in the meantime fails the delivery at once', async () => {
  const { task } = machine(['sh', '-c'], '/usr/bin:/bin');
  const system = posixSystem(ways('push'));
  const one = await task();
  const { notes } = await system.look(one);
  const longer = { program: { ...payload.program, size: payload.program.size + 1 }, parcel: EMPTY_PARCEL };
  await expect(system.deliver(one, notes, longer, system.missing(notes, longer))).rejects.toMatchObject({
    code: 'DELIVERY_FAILED',
    message: expect.stringContaining('was truncated'),
  });
});

test('noise of profiles before and beside the answers is skipped', async () => {
  const noise = 'echo "Welcome! version=9.9"; echo "fenestra-done"; echo warning >&2; ';
  const { task } = machine(['sh', '-c'], '/usr/bin:/bin', { noise });
  const system = posixSystem(ways('push'));
  const { facts } = await system.look(await task());
  expect(facts.version).toBeUndefined();
  expect(facts.arch).toMatch(/^(x64|arm64)$/);
});

test('what an agent left behind is read, below the folder that the command names', async () => {
  const { task, root } = machine(['sh', '-c'], '/usr/bin:/bin');
  mkdirSync(join(root, 'etc/kubeedge/config'), { recursive: true });
  mkdirSync(join(root, 'var/lib/kubeedge'), { recursive: true });
  writeFileSync(join(root, 'etc/kubeedge/version.txt'), 'v1.2.3\n');
  writeFileSync(
    join(root, 'etc/kubeedge/config/edgecore.yaml'),
    'modules:\n  edgeHub:\n    websocket:\n      server: 10.0.0.5:10000\n',
  );
  const status = { version: '1.2.3', pid: 1, startedAt: 't', reloads: 0, nodeName: 'edge-1', connected: true };
  writeFileSync(join(root, 'var/lib/kubeedge/agent-status.json'), JSON.stringify(status, undefined, 2));
  const system = posixSystem(ways('push'));
  const { facts } = await system.look(await task());
  // Process 1 is another program.
  expect(facts).toMatchObject({
    version: 'v1.2.3',
    configured: true,
    running: false,
    servers: ['10.0.0.5:10000'],
    status,
  });
});

test('a path that is not absolute is refused', async () => {
  const { task } = machine(['sh', '-c'], '/usr/bin:/bin');
  const system = posixSystem(ways('push'));
  await expect(system.look(await task('here'))).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  });
});

test('a machine fetches the program; one that cannot has it sent', async () => {
  const auto = ways('auto');
  const system = posixSystem(auto);
  const { task, hosts } = machine(['sh', '-c'], '/usr/bin:/bin');
  const one = await task();
  const { notes } = await system.look(one);
  await system.deliver(one, notes, payload, system.missing(notes, payload));
  const { program } = system.places(workOf(one), notes, payload.program.sha256);
  expect(sha256(readFileSync(program))).toBe(payload.program.sha256);
  expect(hosts.lines).toHaveLength(2);
  expect(one.context).toMatchObject({ logged: [] });

  const far = machine(['sh', '-c'], '/usr/bin:/bin');
  const two = await far.task();
  const found = await system.look(two);
  const refused = { ...found.notes, ownAddress: '127.0.0.1:1/' };
  await system.deliver(two, refused, payload, system.missing(refused, payload));
  expect(far.hosts.lines).toHaveLength(3);
  expect((await system.look(two)).notes['store']).toContain(payload.program.sha256);
  await auto.pullServer.close();
});

function toolsOfThisMachine(...names: readonly string[]): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  for (const name of names) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  return folder;
}

/** A program that makes whole again what zstd has packed, whether this machine has zstd or not. */
function zstdHere(): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  const unpack = 'process.stdin.pipe(zlib.createZstdDecompress()).pipe(process.stdout)';
  writeFileSync(join(folder, 'zstd'), `#!/bin/sh\nexec "${process.execPath}" -e '${unpack}'\n`, { mode: 0o755 });
  return folder;
}

describe.each(['push', 'pull'] as const)('compressed, by %s', (delivery) => {
  test.each([
    ['zstd', () => `${zstdHere()}:/usr/bin:/bin`],
    ['gzip', () => `${poorUserland(...BUSYBOX, 'gzip')}:${toolsOfThisMachine('curl')}`],
  ])('the program travels packed by %s, is packed once, and arrives as it is', async (packing, path) => {
    const folder = mkdtempSync(join(scratch, 'packed-'));
    const all = ways(delivery, folder, 'always');
    const system = posixSystem(all);
    for (let count = 0; count < 2; count += 1) {
      const { task } = machine(['sh', '-c'], path());
      const one = await task();
      const { notes } = await system.look(one);
      await system.deliver(one, notes, payload, system.missing(notes, payload));
      const { program } = system.places(workOf(one), notes, payload.program.sha256);
      expect(sha256(readFileSync(program))).toBe(payload.program.sha256);
    }
    const packed = `${payload.program.sha256.slice(0, 16)}-${packing}`;
    expect(readdirSync(folder).toSorted()).toEqual([`packed-${packed}`]);
    await all.pullServer.close();
    await all.packer.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each(['push', 'auto'] as const)(
  'a machine whose zstd is broken is sent the program as it is, by %s',
  async (way) => {
    const all = ways(way, scratch, 'always');
    const system = posixSystem(all);
    const broken = mkdtempSync(join(scratch, 'bin-'));
    writeFileSync(join(broken, 'zstd'), '#!/bin/sh\nhead -c 1000\nexit 1\n', { mode: 0o755 });
    const { task } = machine(['sh', '-c'], `${broken}:/usr/bin:/bin`);
    const one = await task();
    const { notes } = await system.look(one);
    await system.deliver(one, notes, payload, system.missing(notes, payload));
    expect((await system.look(one)).notes['store']).toContain(payload.program.sha256);
    expect(one.context).toMatchObject({ logged: ['The machine cannot unpack by zstd; sending the program as it is'] });
    await all.pullServer.close();
  },
);

test('a machine unpacks no more than what was announced', async () => {
  const system = posixSystem(ways('push', scratch, 'always'));
  const endless = mkdtempSync(join(scratch, 'bin-'));
  const script = `#!/bin/sh\n/usr/bin/cat /dev/zero\nstat -c %s /proc/self/fd/1 > ${endless}/size\n`;
  writeFileSync(join(endless, 'zstd'), script, { mode: 0o755 });
  const { task } = machine(['sh', '-c'], `${endless}:/usr/bin:/bin`);
  const one = await task();
  const { notes } = await system.look(one);
  await system.deliver(one, notes, payload, system.missing(notes, payload));
  expect(Number(readFileSync(join(endless, 'size'), 'utf8'))).toBeLessThan(payload.program.size * 2 + 4096);
});

test('anyone who stops while a program is packed does not wait for it', async () => {
  const packer = { pack: async () => new Promise<never>(() => undefined), close: async () => undefined };
  const system = posixSystem({ ...ways('push', scratch, 'always'), packer });
  const stop = new AbortController();
  const one = { ...(await machine(['sh', '-c'], `${zstdHere()}:/usr/bin:/bin`).task()), signal: stop.signal };
  const { notes } = await system.look(one);
  const delivered = system.deliver(one, notes, payload, system.missing(notes, payload));
  stop.abort();
  await expect(delivered).rejects.toMatchObject({ code: 'INTERRUPTED' });
});

test('a program that cannot be packed, as when the disk here is full, travels as it is', async () => {
  const system = posixSystem(ways('push', join(scratch, 'not there'), 'always'));
  const { task } = machine(['sh', '-c'], `${zstdHere()}:/usr/bin:/bin`);
  const one = await task();
  const { notes } = await system.look(one);
  await system.deliver(one, notes, payload, system.missing(notes, payload));
  expect((await system.look(one)).notes['store']).toContain(payload.program.sha256);
});

test.each([
  ['keadm', () => payload.program.sha256],
  [
    'data',
    () =>
      payload.parcel.entries.flatMap((entry) =>
        'sha256' in entry && entry.path === 'large' ? [entry.sha256] : [],
      )[0] ?? '',
  ],
])('what a disk has damaged in the store is removed, and sent again: %s', async (name, digest) => {
  const system = posixSystem(ways('push'));
  const { task, root } = machine(['sh', '-c'], '/usr/bin:/bin');
  const one = await task();
  const deliver = async () => {
    const { notes } = await system.look(one);
    await system.deliver(one, notes, payload, system.missing(notes, payload));
  };
  await deliver();
  const stored = join(root, 'var/lib/fenestra/batch/store', digest(), name);
  const damaged = readFileSync(stored);
  damaged[7] = (damaged[7] ?? 0) ^ 1;
  writeFileSync(stored, damaged);
  await expect(deliver()).rejects.toMatchObject({
    code: 'DELIVERY_FAILED',
    message: expect.stringContaining('damaged'),
  });
  await deliver();
  expect(sha256(readFileSync(stored))).toBe(digest());
});

test('a machine that cannot list files is sent everything', async () => {
  const few = 'sh cat dd mkdir rm mv chmod wc cp touch find uname date sha256sum'.split(' ');
  const system = posixSystem(ways('push'));
  const { task } = machine(['/usr/bin/sh', '-c'], toolsOfThisMachine(...few));
  const one = await task();
  for (let count = 0; count < 2; count += 1) {
    const { notes } = await system.look(one);
    const missing = system.missing(notes, payload);
    expect(missing.program).toBe(true);
    await system.deliver(one, notes, payload, missing);
  }
});

test.each(['', 'batch', 'batch/store'])('what others can write to is neither believed nor used: "%s"', async (open) => {
  const { task, root } = machine(['sh', '-c'], '/usr/bin:/bin');
  const base = join(root, 'var/lib/fenestra');
  const planted = join(base, 'batch/store', payload.program.sha256);
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, 'keadm'), Buffer.alloc(payload.program.size), { mode: 0o755 });
  chmodSync(join(base, open), 0o777);
  const system = posixSystem(ways('push'));
  const one = await task();
  const { notes } = await system.look(one);
  expect(notes['store']).toBe('');
  await expect(system.deliver(one, notes, payload, system.missing(notes, payload))).rejects.toMatchObject({
    code: 'DELIVERY_FAILED',
    message: expect.stringContaining('is writable by other accounts'),
  });
});

test('what no run has used for long is removed, and so is what one has left behind', async () => {
  const { task, root } = machine(['sh', '-c'], '/usr/bin:/bin');
  const batch = join(root, 'var/lib/fenestra/batch');
  const old = [join(batch, 'store/old'), join(batch, 'runs/old')];
  for (const folder of old) {
    mkdirSync(folder, { recursive: true });
    utimesSync(folder, 1, 1);
  }
  const system = posixSystem(ways('push'));
  const one = await task();
  const { notes } = await system.look(one);
  const alone = { ...payload, parcel: EMPTY_PARCEL };
  await system.deliver(one, notes, alone, system.missing(notes, alone));
  expect(readdirSync(join(batch, 'store'))).toEqual([payload.program.sha256]);
  expect(readdirSync(join(batch, 'runs'))).toHaveLength(1);
});
