import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodRuntime } from '../beds/pod-runtime.ts';

/** Deepest first, so that nothing is mounted below what goes. */
const UNMOUNT = `
cut -d ' ' -f 2 /proc/mounts | grep -e "^$1/" -e '^/run/.' | sort -r | while read -r point; do umount -l "$point"; done
rm -rf /run/* "$1"
until find /sys/fs/cgroup -depth -path '*/kubepods*' -type d -exec rmdir {} +; do sleep 0.1; done
`;

/** Ends everything in the cage, forgets what a reboot forgets, and starts containerd again. */
export async function restartAsAfterReboot(
  { cage, folder, kill, start }: PodRuntime,
  run: (argv: readonly string[]) => Promise<string>,
): Promise<void> {
  await kill();
  await cage.killAll();
  const state = join(folder, 'state');
  await run(['sh', '-c', UNMOUNT, 'reboot', state]);
  await rm(join(folder, 'addresses'), { recursive: true, force: true });
  await start();
}
