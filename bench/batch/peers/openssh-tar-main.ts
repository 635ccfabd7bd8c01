import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { inLanes } from '../../../scripts/run-step.ts';
import type { Target } from '../methods.ts';

/** What this process is instructed to do. */
interface Order {
  readonly targets: readonly Target[];
  readonly width: number;
  readonly ssh: readonly string[];
  readonly archive: string;
  readonly command: string;
}

const order: Order = JSON.parse(process.argv[2] ?? '');
await inLanes(order.width, order.targets, pipeTo);

/** Nothing of the archive goes through this process. */
async function pipeTo({ host, port }: Target): Promise<void> {
  const [program = '', ...args] = order.ssh;
  const input = openSync(order.archive, 'r');
  const child = spawn(program, [...args, '-p', String(port), host, order.command], {
    stdio: [input, 'inherit', 'inherit'],
  });
  closeSync(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`ssh to port ${port} ended with ${code}`);
}
