import { OperatorError } from '@fenestra/kernel';
import { type WorkerLayout, pathExists } from '@fenestra/platform';
import { readRecord } from '../record/worker-record.ts';

/** Whether this machine is a worker that keadm joined, so that another join asks no cluster and needs no token. */
export async function alreadyJoined({
  recordFile,
  kubeconfig,
}: Pick<WorkerLayout, 'recordFile' | 'kubeconfig'>): Promise<boolean> {
  try {
    const record = await readRecord(recordFile);
    return record !== undefined && record.cluster !== null && (await pathExists(kubeconfig));
  } catch (error) {
    // The join itself tells what is wrong with the record, or with the rights to read it.
    if (error instanceof OperatorError) return false;
    throw error;
  }
}
