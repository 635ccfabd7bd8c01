/** the machines of the tests start, run commands and stop */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startBareLinuxNode } from '../../support/beds/bare-bed.ts';
import type { BedNode } from '../../support/beds/bed-node.ts';
import { RUNTIME } from '../../support/beds/checkout.ts';
import { prepareLinux } from '../../support/beds/linux-base.ts';
import { startLinuxNode } from '../../support/beds/linux-bed.ts';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { prepareWine } from '../../support/beds/wine-base.ts';
import { startWindowsNode } from '../../support/beds/wine-bed.ts';

const { signal } = new AbortController();
const nodes: BedNode[] = [];
const PATIENCE = { timeout: 30_000 };

afterAll(async () => {
  for (const node of nodes) await node.stop();
});

async function keep<Node extends BedNode>(starting: Promise<Node>): Promise<Node> {
  const node = await starting;
  nodes.push(node);
  return node;
}

describe('the Windows bed', async () => {
  const base = await prepareWine(signal);
  const [one, two] = await Promise.all([
    keep(startWindowsNode({ name: 'win-one' }, signal)),
    keep(startWindowsNode({}, signal)),
  ]);
  const node = toWindowsPath(RUNTIME.nodeWindows);

  test('a node runs Windows programs, with arguments, environment, output and exit code', async () => {
    const script = 'console.log(process.argv[1], process.env.X); console.error("err"); process.exit(7)';
    const result = await one.run(node, ['-e', script, 'a "b" c'], { env: { X: 'x y' } });
    expect(result).toEqual({ exitCode: 7, stdout: 'a "b" c x y\n', stderr: 'err\n' });
  });

  test('an elevated program gives its output and exit code too', async () => {
    const result = await one.run(node, ['-e', 'console.log(process.env.X); process.exit(9)'], {
      elevated: true,
      env: { X: 'x' },
    });
    expect(result).toEqual({ exitCode: 9, stdout: 'x\n', stderr: '' });
  });

  test('each node has its own name, files and registry, and the base stays as it is', async () => {
    expect((await one.run('cmd', ['/c', 'echo %COMPUTERNAME%'])).stdout.trim()).toBe('WIN-ONE');
    await one.run('cmd', ['/c', 'echo mine>C:\\mine.txt']);
    await one.run('reg', ['add', 'HKLM\\Software\\Mine', '/f']);
    expect((await readFile(one.hostPath('C:\\mine.txt'), 'latin1')).trim()).toBe('mine');
    expect(existsSync(two.hostPath('C:\\mine.txt'))).toBe(false);
    expect((await two.run('reg', ['query', 'HKLM\\Software\\Mine'])).exitCode).not.toBe(0);
    expect(existsSync(`${base}/windows/drive_c/mine.txt`)).toBe(false);
  });

  test.each(['reboot', 'powerFail'] as const)('files and registry outlive a %s, programs do not', async (how) => {
    const key = `HKLM\\Software\\${how}`;
    await one.run('reg', ['add', key, '/f']);
    await writeFile(one.hostPath(`C:\\${how}`), 'kept');
    const script = 'fs.writeFileSync(process.argv[1], ""); setInterval(() => {}, 1000)';
    const running = one.run(node, ['-e', script, `C:\\up-${how}`]);
    await vi.waitUntil(() => existsSync(one.hostPath(`C:\\up-${how}`)), PATIENCE);
    await one[how]();
    await running;
    expect((await one.run('reg', ['query', key])).exitCode).toBe(0);
    expect(await readFile(one.hostPath(`C:\\${how}`), 'utf8')).toBe('kept');
  });

  test('a program that takes too long is ended', async () => {
    const forever = two.run(node, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 1500 });
    await expect(forever).rejects.toMatchObject({ code: 'TIMED_OUT' });
    expect((await two.run('tasklist', [])).stdout.replaceAll('\0', '')).not.toContain('node.exe');
  });
});

describe('the Linux bed', async () => {
  const base = await prepareLinux(signal);
  const [one, two] = await Promise.all([
    keep(startLinuxNode({ name: 'lin-one' }, signal)),
    keep(startLinuxNode({}, signal)),
  ]);

  test('a node is up in order, and no node is another', async () => {
    for (const node of [one, two])
      expect((await node.run('systemctl', ['is-system-running'])).stdout).toBe('running\n');
    expect((await one.run('hostname', [])).stdout).toBe('lin-one\n');
    const [first, second] = [await one.run('cat', ['/etc/machine-id']), await two.run('cat', ['/etc/machine-id'])];
    expect(first.stdout).toMatch(/^[0-9a-f]{32}\n$/);
    expect(first.stdout).not.toBe(second.stdout);
  });

  test('what one node writes, neither the other nor the base has', async () => {
    await one.run('touch', ['/etc/mine']);
    expect(
      [one.hostPath('/etc/mine'), two.hostPath('/etc/mine'), `${base}/etc/mine`].map((path) => existsSync(path)),
    ).toEqual([true, false, false]);
  });

  test.each(['reboot', 'powerFail'] as const)('files and identity outlive a %s, processes do not', async (how) => {
    const identity = await one.run('cat', ['/etc/machine-id']);
    const boot = await one.run('cat', ['/proc/sys/kernel/random/boot_id']);
    await writeFile(one.hostPath(`/srv/${how}`), 'kept');
    await one.run('systemd-run', ['--unit=passing', 'sleep', '600']);
    await one[how]();
    expect(await readFile(one.hostPath(`/srv/${how}`), 'utf8')).toBe('kept');
    expect(await one.run('cat', ['/etc/machine-id'])).toEqual(identity);
    expect(await one.run('cat', ['/proc/sys/kernel/random/boot_id'])).not.toEqual(boot);
    expect((await one.run('systemctl', ['is-active', 'passing'])).stdout).toBe('inactive\n');
  });

  test('stopping the processes of one node leaves those of another alone', async () => {
    for (const node of [one, two]) await node.run('systemd-run', ['--unit=same', 'sleep', '600']);
    await one.run('systemctl', ['kill', '--signal=KILL', 'same']);
    await one.run('systemctl', ['stop', 'same']);
    expect((await two.run('systemctl', ['is-active', 'same'])).stdout).toBe('active\n');
  });
});

describe('the bed without a service manager', async () => {
  const node = await keep(startBareLinuxNode({}, signal));

  test('nothing but what the test starts runs there, and a power failure ends it', async () => {
    expect(existsSync(node.hostPath('/run/systemd/system'))).toBe(false);
    const running = node.run('bash', ['-c', 'touch /tmp/up; exec sleep 600']);
    await vi.waitUntil(() => existsSync(node.hostPath('/tmp/up')), PATIENCE);
    await node.powerFail();
    expect((await running).exitCode).toBe(137);
  });
});
