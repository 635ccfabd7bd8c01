import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { RUNTIME } from '../../support/beds/checkout.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';
import { writeOwn, oddPath } from './own-files.ts';

const SCRIPT = join(import.meta.dirname, 'windows-side', 'hold-file.cjs');
const HOLD_MS = 4 * 60_000;

/** Does the work while another program of a Windows machine has the file open and lets no one change it. */
export async function whileHeld<T>(machine: KeadmMachine, path: string, work: () => Promise<T>): Promise<T> {
  const [held, release] = [oddPath(machine, 'held'), oddPath(machine, 'release')];
  // Makes the folder, too.
  await writeOwn(machine, 'holding', path);
  for (const file of [held, release]) await rm(machine.node.hostPath(file), { force: true });
  const files = [RUNTIME.nodeWindows, SCRIPT, RUNTIME.koffiWindows].map(machine.nameOf);
  const [program = '', ...args] = files;
  const holding = machine.node.run(program, [...args, path, held, release], { timeoutMs: HOLD_MS });
  try {
    await vi.waitFor(() => expect(existsSync(machine.node.hostPath(held))).toBe(true), PATIENCE);
    return await work();
  } finally {
    await writeFile(machine.node.hostPath(release), '');
    await holding;
  }
}
