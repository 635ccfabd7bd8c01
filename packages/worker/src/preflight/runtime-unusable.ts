import { OperatorError } from '@fenestra/kernel';
import type { PreflightFacts } from './preflight-facts.ts';

/** The error for a container runtime that a worker cannot work with. */
export function runtimeUnusable({ endpoint, problem }: PreflightFacts['runtime'], hint: string): OperatorError {
  const message = `The container runtime at "${endpoint}" ${problem ?? 'cannot be used'}`;
  return new OperatorError('RUNTIME_UNUSABLE', message, { hint });
}
