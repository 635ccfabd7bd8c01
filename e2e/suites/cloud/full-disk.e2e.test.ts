import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskOf } from '../../support/faults/node-disk.ts';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { kindOf } from '../../support/cloud/manifests.ts';
import { unlimited } from '../../support/cloud/patience.ts';

/** Prints the command line of the running cloudcore, each argument on a line. */
const COMMAND = `for pid in /proc/[0-9]*; do
  case "$(readlink "$pid/exe")" in */cloudcore) tr '\\0' '\\n' < "$pid/cmdline"; break;; esac
done`;

const KILL = `for pid in /proc/[0-9]*; do
  case "$(readlink "$pid/exe")" in */cloudcore) kill -9 "\${pid#/proc/}";; esac
done`;

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startEmbeddedCloud();
});
afterAll(async () => cloud.stop());

function configMap(name: string) {
  const metadata = { name, namespace: 'default' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(50_000) } };
}

test('a cloud with a full disk starts, answers reads, and says why it refuses writes', async () => {
  const { node } = cloud.machine;
  const disk = await diskOf(cloud.machine);
  await cloud.apply([configMap('before')]);
  const command = (await node.run('sh', ['-euc', COMMAND])).stdout.trim().split('\n');
  await cloud.keadm('cloud', 'stop');
  await disk.withRoom(0, async () => {
    disk.fill();
    // The program itself: whether a service manager can start it without room is another matter.
    const running = node.run('timeout', ['-s', 'KILL', '90', ...command], { timeoutMs: 120_000 });
    const { metadata } = configMap('before');
    const read = async () => cloud.api.get(kindOf(configMap('before')), metadata, unlimited());
    await expect.poll(read, { timeout: 60_000 }).toMatchObject({ metadata });
    const cause = expect.objectContaining({ message: expect.stringContaining('the disk of the cloud is full') });
    await expect(cloud.apply([configMap('refused')])).rejects.toMatchObject({ code: 'API_FAILED', cause });
    await node.run('sh', ['-euc', KILL]);
    await running;
  });
});
