import { writeFile } from 'node:fs/promises';
import { waitUntil } from '@fenestra/platform';
import type { JobFolder } from './job-folder.ts';
import { jobState } from './job-state.ts';
import type { FarEndPorts } from './ports.ts';

/** Asks a job that is running to stop, and waits until it has; its holder uses force if it must. */
export async function stopJob(folder: JobFolder, ports: FarEndPorts, signal: AbortSignal): Promise<void> {
  const isActive = async (): Promise<boolean> => ['starting', 'running'].includes((await jobState(folder, ports)).kind);
  if (!(await isActive())) return;
  await writeFile(folder.stopFile, '', { mode: 0o600 });
  await waitUntil('stopping the command', async () => !(await isActive()), signal);
}
