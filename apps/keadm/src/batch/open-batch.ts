import { loadBatch, type Batch } from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';

/** Reads the file of a batch that is to be worked on, and says what its writer may not have meant. */
export async function openBatch(environment: KeadmEnvironment, file: string): Promise<Batch> {
  const batch = await loadBatch(file, { variables: environment.variables });
  for (const { path, reason } of batch.notes) environment.terminal.err(`Note: ${path} ${reason}\n`);
  return batch;
}
