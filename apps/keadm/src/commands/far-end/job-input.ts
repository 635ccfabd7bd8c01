import { FarEndJob } from '@fenestra/contracts/batch';
import { OperatorError, parseJson } from '@fenestra/kernel';

/** Reads a job, which only another keadm writes. */
export function parseJob(text: string): FarEndJob {
  const job = FarEndJob.safeParse(parseJson(text));
  if (job.success) return job.data;
  throw new OperatorError('USAGE', 'Cannot read the job on standard input', {
    hint: 'Leave "keadm far-end" to "keadm batch", which uses it on the nodes.',
  });
}
