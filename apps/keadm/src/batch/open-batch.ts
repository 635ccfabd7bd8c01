import { loadBatch, type Batch } from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';
import { askLightly } from './tune-engine.ts';

/** Reads the file of a batch that is to be worked on, and says what its writer may not have meant. */
export async function openBatch(environment: KeadmEnvironment, file: string): Promise<Batch> {
  // V8 takes no cache of code that was made with other flags, so what will be needed is loaded before they change.
  await Promise.all([import('@fenestra/ssh'), environment.loadPlatform(undefined)]);
  askLightly();
  const batch = await loadBatch(file, { variables: environment.variables });
  for (const { path, reason } of batch.notes) environment.terminal.err(`Note: ${path} ${reason}\n`);
  return batch;
}
