import { failureIn } from '../far-end/messages/result.ts';
import { OperatorError, type ErrorDetails } from '@fenestra/kernel';
import { redact } from '../far-end/redact.ts';
import type { JobEnd } from './follow-to-end.ts';
import { tookTooLong } from './failures.ts';
import { mayPass } from './may-pass.ts';

/** What is needed to say how a job went. */
export interface EndedJob {
  readonly node: string;
  /** How the command is shown to people. */
  readonly shown: readonly string[];
  readonly secrets: readonly string[];
  readonly limitSeconds: number;
}

/** The failure that an ended job amounts to; `undefined` if it went well. */
export function failureOfJob({ exit, result }: JobEnd, job: EndedJob): OperatorError | undefined {
  if (exit.exitCode === 0) return undefined;
  if (exit.stopped === 'limit')
    return tookTooLong(job.node, `running "keadm ${job.shown.join(' ')}"`, job.limitSeconds);
  if (exit.stopped === 'asked') return interrupted(job);
  const failure = failureIn(result);
  if (failure === undefined) return failed(job, `it ended with ${exit.exitCode}`, LOOK_AT_LOG, {});
  const { code, message, hint } = failure;
  const details = { farCode: code, mayPass: mayPass(failure) };
  return failed(job, `[${code}] ${redact(message, job.secrets)}`, redact(hint, job.secrets), details);
}

const LOOK_AT_LOG = "Look at the node's log in the run's folder.";

function failed({ node, shown }: EndedJob, why: string, hint: string, details: ErrorDetails): OperatorError {
  const message = `"keadm ${shown[0] ?? ''}" failed on "${node}": ${why}`;
  return new OperatorError('REMOTE_COMMAND_FAILED', message, { hint, details });
}

function interrupted({ node, shown }: EndedJob): OperatorError {
  return new OperatorError('INTERRUPTED', `"keadm ${shown[0] ?? ''}" was stopped on "${node}"`, {
    hint: 'Run "keadm batch retry" to have it done after all.',
  });
}
