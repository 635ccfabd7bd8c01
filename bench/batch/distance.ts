import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SshdMachine } from '../../e2e/support/beds/sshd-bed.ts';

/** Does something to targets that are so many milliseconds of round trip away. */
export async function fromAfar<T>(
  roundTripMs: number,
  targets: readonly SshdMachine[],
  work: (targets: readonly SshdMachine[]) => Promise<T>,
): Promise<T> {
  const main = join(import.meta.dirname, 'delay-proxy-main.ts');
  const argv = [main, String(roundTripMs), ...targets.map(({ port }) => String(port))];
  const proxy = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [ports]: Buffer[] = await once(proxy.stdout, 'data');
    const far = String(ports).trim().split(' ').map(Number);
    return await work(targets.map((target, index) => ({ ...target, port: far[index] ?? 0 })));
  } finally {
    proxy.kill();
  }
}
