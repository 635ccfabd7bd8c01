import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const SETTINGS = 'modules.edged.tailoredKubeletConfig';
const LINES_PER_PART = 10_000;
const LONG = { timeout: 5 * 60_000, interval: 100 };

/** Writes numbered lines of 100 bytes, a part of them at a time. */
function writer(parts: number): string {
  const lines = `for (i = 1; i <= ${LINES_PER_PART}; i++) printf "%d %092d\\n", first + i, i`;
  return `for part in $(seq 0 ${parts - 1}); do
  awk -v first=$((part * ${LINES_PER_PART})) 'BEGIN { ${lines} }'; sleep 0.6
done`;
}

describe.skipIf(isShortRun())('the logs of containers', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  async function limitLogs(maxSize: string, maxFiles: number): Promise<void> {
    const settings = [`MaxSize=${maxSize}`, `MaxFiles=${maxFiles}`, 'MonitorInterval=500ms'];
    await cloud.keadm('config', 'set', ...settings.map((setting) => `${SETTINGS}.containerLog${setting}`));
  }

  async function folderOf(name: string): Promise<string> {
    const uid = (await pods.find(name))?.metadata.uid ?? '';
    return join(cloud.nodeRoot, 'var/log/pods', `default_${name}_${uid}`, 'main');
  }

  test('no line of 50 MB is lost or doubled by rotations, also when the agent is killed during them', async () => {
    await limitLogs('2Mi', 100);
    const parts = 50;
    await pods.runScript('writer', writer(parts), { restartPolicy: 'Never' });
    await pods.untilStatus('writer', { phase: 'Running' });
    const folder = await folderOf('writer');
    for (let kill = 0; kill < 2; kill++) {
      await untilRotatedAgain(folder);
      await cloud.killAgent();
      await cloud.startAgent();
    }
    // What a kill between the rename and the call to the runtime leaves, and one during a compression.
    await untilRotatedAgain(folder);
    await cloud.killAgent();
    const uncompressed = (await readdir(folder)).filter((name) => /-\d{6}$/.test(name));
    await writeFile(join(folder, `${uncompressed[0]}.tmp`), 'a part');
    await rename(join(folder, '0.log'), join(folder, '0.log.29991231-000000'));
    await cloud.startAgent();
    await vi.waitFor(async () => stat(join(folder, '0.log')), LONG);
    await pods.untilStatus('writer', { phase: 'Succeeded' }, LONG.timeout);
    const names = await readdir(folder);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const numbers = await numbersIn(folder);
    expect(numbers.length).toBe(parts * LINES_PER_PART);
    expect(numbers.findIndex((number, index) => number !== index + 1)).toBe(-1);
  });

  test('a log has the files that the settings allow, compressed but for the newest two, and its newest lines', async () => {
    await limitLogs('1Mi', 3);
    await pods.runScript('bounded', writer(12), { restartPolicy: 'Never' });
    await pods.untilStatus('bounded', { phase: 'Running' });
    const folder = await folderOf('bounded');
    const counts: number[] = [];
    await vi.waitFor(async () => {
      const names = await readdir(folder);
      counts.push(new Set(names.map((name) => name.replace(/\.(?:gz|tmp)$/, ''))).size);
      expect((await pods.find('bounded'))?.['status']).toMatchObject({ phase: 'Succeeded' });
    }, LONG);
    expect(Math.max(...counts)).toBe(3);
    const names = (await readdir(folder)).toSorted();
    expect(names).toEqual(['0.log', expect.stringMatching(/\.gz$/), expect.stringMatching(/-\d{6}$/)]);
    const numbers = await numbersIn(folder);
    expect(numbers.at(-1)).toBe(12 * LINES_PER_PART);
    expect(numbers.some((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)).toBe(false);
  });

  test('the logs of instances that are removed go with them', async () => {
    await pods.runScript('restarted', SLEEP);
    await pods.untilRunning('restarted');
    for (let restart = 0; restart < 3; restart++) await cloud.keadm('pod', 'restart', 'restarted');
    const folder = await folderOf('restarted');
    await vi.waitFor(async () => expect((await readdir(folder)).toSorted()).toEqual(['2.log', '3.log']), LONG);
  });

  test('a file that someone removed is made again', async () => {
    await pods.runScript('removed', 'i=0; while :; do i=$((i + 1)); echo "line $i"; sleep 0.2; done');
    await pods.untilRunning('removed');
    const file = join(await folderOf('removed'), '0.log');
    await rename(file, `${file}.elsewhere`);
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('line'), PATIENCE);
  });
});

/** What the container wrote, without time, stream and tag: a line can be in parts, also in two files. */
function joinParts(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let start = '';
  for (const line of lines) {
    const [, tag, text = ''] = /^\S+ stdout ([FP]) (.*)$/.exec(line) ?? [];
    start += text;
    if (tag !== 'F') continue;
    joined.push(start);
    start = '';
  }
  return joined;
}

/** The numbers of the lines in all files, the oldest file first. */
async function numbersIn(folder: string): Promise<readonly number[]> {
  const [current = '', ...rotated] = (await readdir(folder)).toSorted();
  const texts = await Promise.all(
    [...rotated, current].map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    }),
  );
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  return joinParts(lines).map((line) => Number(line.split(' ')[0]));
}

async function untilRotatedAgain(folder: string): Promise<void> {
  const before = new Set(await readdir(folder));
  await vi.waitFor(async () => {
    const names = await readdir(folder);
    expect(names.some((name) => !before.has(name) && !name.endsWith('.gz'))).toBe(true);
  }, LONG);
}
