import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodRuntime } from '../beds/pod-runtime.ts';

/** The processes of pods have namespaces of their own, so they are found by their control groups. */
const FORGET = `
until find /sys/fs/cgroup -depth -path '*/kubepods*' -type d -exec rmdir {} +; do
  find /sys/fs/cgroup/pids -path '*/kubepods*' -name cgroup.procs -exec cat {} + | xargs -r kill -KILL
  sleep 0.1
done
cut -d ' ' -f 2 /proc/mounts | grep -e "^$1/" -e '^/run/.' | sort -r | while read -r point; do umount -l "$point"; done
rm -rf /run/* "$1"
`;

/** Ends everything in the cage, forgets what a reboot forgets, and starts containerd again. */
export async function restartAsAfterReboot(
  runtime: PodRuntime,
  run: (argv: readonly string[]) => Promise<string>,
): Promise<void> {
  const { cage, folder } = runtime;
  await runtime.kill();
  await cage.killAll();
  await run(['sh', '-c', FORGET, 'reboot', join(folder, 'state')]);
  await rm(join(folder, 'addresses'), { recursive: true, force: true });
  await runtime.start();
}
