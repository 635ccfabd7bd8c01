import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { restartCounts, scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const NO_ONE = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

describe.skipIf(isShortRun())('"keadm pod" on the machine of a node', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
    // The rights of the node itself are tested, not those of the folder of the test.
    await chmod(cloud.runtime.folder, 0o755);
    const other = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } };
    await cloud.api.create(KINDS.namespace, other, signal);
    const two = [scriptContainer('main', `echo first; echo second; ${SLEEP}`), scriptContainer('side', SLEEP)];
    await pods.create('web', { containers: two });
    await pods.untilRunning('web');
  });
  afterAll(async () => cloud?.stop());

  async function keadm(...words: readonly string[]): Promise<string> {
    return cloud.keadm('pod', ...words);
  }

  /** How a command ends that may fail. */
  async function tryKeadm(words: readonly string[], before: readonly string[] = [], input = '') {
    const [pod = '', ...rest] = words;
    const file = join(cloud.runtime.folder, 'input');
    await writeFile(file, input);
    const typed = ['sh', '-c', `exec "$@" < ${file}`, 'sh', ...before];
    const argv = [...typed, join(cloud.runtime.folder, 'keadm'), 'pod', pod, '--root', cloud.nodeRoot, ...rest];
    const { exitCode, stdout, stderr } = await cloud.runtime.cage.run(argv, {}, signal);
    return { exitCode, stdout, stderr };
  }

  test('the list shows each pod with its state, also without the cloud, the agent or the runtime', async () => {
    const row = /^default +web +2\/2 +Running +0 +\S+ +10\.88\.0\.\d+$/m;
    expect(await keadm('list')).toMatch(row);
    const { pods: listed } = JSON.parse(await keadm('list', '--output', 'json'));
    expect(listed).toMatchObject([{ name: 'web', namespace: 'default', isWell: true, ready: 2, total: 2 }]);
    await cloud.stopCloud();
    expect(await keadm('list')).toMatch(row);
    await cloud.killAgent();
    expect(await keadm('list')).toMatch(row);
    await pods.exec('web', 'kill 1', 'side');
    await vi.waitFor(async () => expect(await keadm('list')).toMatch(/web +1\/2 +Completed/), PATIENCE);
    await cloud.runtime.kill();
    const { stdout, stderr, exitCode } = await tryKeadm(['list']);
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/web +2\/2/), exitCode: 0 });
    expect(stderr).toContain('Warning: this is what the agent reported last.');
    await cloud.runtime.start();
    await cloud.startCloud();
    await cloud.startAgent();
    await untilNodeReady(cloud);
    await vi.waitFor(async () => expect(await keadm('list')).toMatch(/web +2\/2 +Running +1/), PATIENCE);
  });

  test('the description says why a container does not run', async () => {
    const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'absent', key: 'x' } } }];
    await pods.runScript('stuck', SLEEP, {}, { env });
    await vi.waitFor(
      async () => expect(await keadm('list')).toMatch(/stuck +0\/1 +CreateContainerConfigError/),
      PATIENCE,
    );
    expect(await keadm('describe', 'stuck')).toMatch(/state +waiting: CreateContainerConfigError: .*"?absent"?/);
    expect(await cloud.keadm('status')).toMatch(/pods +2, 1 CreateContainerConfigError, 1 Running/);
    await pods.delete('stuck');
    await pods.untilGone('stuck');
  });

  test('the log of a container can be cut, timed and read by programs', async () => {
    expect(await keadm('logs', 'web', '-c', 'main')).toBe('first\nsecond\n');
    expect(await keadm('logs', 'default/web', '-c', 'main', '--tail', '1', '--timestamps')).toMatch(
      /^\d{4}-\S+ second\n$/,
    );
    const [line] = (await keadm('logs', 'web', '-c', 'main', '--output', 'json')).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ stream: 'stdout', text: 'first' });
    expect(await tryKeadm(['logs', 'web'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--container'),
    });
  });

  test('a log is followed until its container ends', async () => {
    const script = 'for i in $(seq 20); do echo line $i; sleep 0.1; done';
    await pods.runScript('short', script, { restartPolicy: 'Never' });
    await pods.untilStatus('short', { phase: 'Running' });
    expect((await keadm('logs', 'short', '--follow')).split('\n')).toHaveLength(21);
    await pods.delete('short');
    await pods.untilGone('short');
  });

  test('a command in a container has input, output, errors and an exit code', async () => {
    const run = async (script: string, input?: string) =>
      tryKeadm(['exec', 'web', '-c', 'main', ...(input ? ['-i'] : []), '--', 'sh', '-c', script], [], input);
    expect(await run('echo out; echo err >&2; exit 7')).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n' });
    expect(await run('wc -c', 'x'.repeat(3_000_000))).toMatchObject({ exitCode: 0, stdout: '3000000\n' });
    expect((await run('yes line | head -c 5000000')).stdout).toHaveLength(5_000_000);
    const json = await tryKeadm(['exec', 'web', '-c', 'main', '--output', 'json', '--', 'sh', '-c', 'echo a; exit 3']);
    expect(json.exitCode).toBe(3);
    expect(JSON.parse(json.stdout)).toEqual({ exitCode: 3, stdout: 'a\n', stderr: '' });
    const missing = await tryKeadm(['exec', 'web', '-c', 'main', '--', '/no/such/program']);
    expect(missing).toMatchObject({ exitCode: 32, stderr: expect.stringContaining('Cannot run the command') });
  });

  test('a command whose output no one reads any more ends with the exit code of a broken pipe', async () => {
    const code = join(cloud.runtime.folder, 'code');
    const script = `'yes line | head -c 5000000'`;
    const command = `${join(cloud.runtime.folder, 'keadm')} pod exec web --root ${cloud.nodeRoot} -c main -- sh -c ${script}`;
    expect(await cloud.run(['sh', '-c', `(${command}; echo code $? > ${code}) | head -n 1; cat ${code}`])).toBe(
      'line\ncode 141\n',
    );
  });

  test('a terminal has the size of the operator’s, and Ctrl-C goes to the command', async () => {
    const [typed, shown] = [join(cloud.runtime.folder, 'typed'), join(cloud.runtime.folder, 'shown')];
    const inside = `until stty size 2>/dev/null | grep .; do sleep 0.1; done; trap "exit 9" INT; echo ready; read x`;
    const words = `pod exec web --root ${cloud.nodeRoot} -c main -it -- sh -c '${inside}'`;
    await writeFile(typed, `stty rows 33 cols 44; ${join(cloud.runtime.folder, 'keadm')} ${words}; echo code $?`);
    const keys = `until grep -q ready ${shown}; do sleep 0.1; done; printf '\\003'`;
    const script = `> ${shown}; (${keys}) | script --quiet --command "sh ${typed}" /dev/null > ${shown}; cat ${shown}`;
    expect(await cloud.run(['sh', '-c', script])).toMatch(/33 44[\s\S]*ready[\s\S]*code 9/);
  });

  test('a restart replaces the containers that it names, at once and with their hooks', async () => {
    const lifecycle = { preStop: { exec: { command: ['/bin/sh', '-c', 'echo stopped >> /shared/log'] } } };
    const mount = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
    await pods.create('service', {
      restartPolicy: 'Never',
      volumes: [{ name: 'shared', emptyDir: {} }],
      containers: [scriptContainer('main', SLEEP, { lifecycle, ...mount }), scriptContainer('side', SLEEP, mount)],
    });
    await pods.untilRunning('service');
    expect(await keadm('restart', 'service', '--dry-run')).toContain(
      'Would restart main, side of the pod "default/service"',
    );
    for (const count of [1, 2, 3]) {
      await keadm('restart', 'service', '-c', 'main');
      await vi.waitFor(
        async () => expect(restartCounts(await pods.find('service'))).toEqual({ main: count, side: 0 }),
        PATIENCE,
      );
    }
    expect(await pods.exec('service', 'cat /shared/log')).toBe('stopped\n'.repeat(3));
    await cloud.killAgent();
    const refused = await tryKeadm(['restart', 'service']);
    expect(refused).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('agent of this node is not running'),
    });
    await cloud.startAgent();
    await pods.delete('service');
    await pods.untilGone('service');
  });

  test('a name that two namespaces have is refused with both', async () => {
    await cloud.api.create(
      KINDS.pod,
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'other' },
        spec: { nodeName: 'press-1', containers: [scriptContainer('main', SLEEP)] },
      },
      signal,
    );
    await vi.waitFor(async () => expect(await keadm('list')).toMatch(/^other +web +1\/1/m), PATIENCE);
    const { exitCode, stderr } = await tryKeadm(['describe', 'web']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('there are default/web, other/web');
    expect(await keadm('describe', 'other/web')).toContain('other/web');
  });

  test.each([['list'], ['logs', 'web'], ['describe', 'web'], ['restart', 'web'], ['exec', 'web', '--', 'id']])(
    'another account may not use "keadm pod %s"',
    async (...words) => {
      const { exitCode, stdout, stderr } = await tryKeadm(words, NO_ONE);
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 22,
        stdout: '',
        stderr: expect.stringContaining('Run the command as an administrator'),
      });
    },
  );

  test('another account cannot write requests for the agent, nor use the node of the system', async () => {
    const folder = join(cloud.nodeRoot, 'var/lib/kubeedge/pod-restarts');
    const attempt = ['sh', '-c', `echo x > ${folder}/x.json || echo > ${cloud.nodeRoot}/var/lib/kubeedge/x`];
    const { exitCode, stderr } = await cloud.runtime.cage.run([...NO_ONE, ...attempt], {}, signal);
    expect(exitCode).not.toBe(0);
    expect(stderr.match(/denied/g)).toHaveLength(2);
    const words = [join(cloud.runtime.folder, 'keadm'), 'pod', 'list'];
    expect(await cloud.runtime.cage.run([...NO_ONE, ...words], {}, signal)).toMatchObject({ exitCode: 3, stdout: '' });
  });
});
