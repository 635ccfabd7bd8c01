import { FarEndJob } from '@fenestra/fleet/far-end';
import { OperatorError, parseJson } from '@fenestra/kernel';

/** Reads a job, which only another keadm writes. */
export function parseJob(text: string): FarEndJob {
  const job = FarEndJob.safeParse(parseJson(text));
  if (job.success) return job.data;
  throw new OperatorError('USAGE', 'Cannot read the job on standard input', {
    hint: 'Do not run "keadm far-end" yourself: "keadm batch" runs it on the nodes.',
  });
}
