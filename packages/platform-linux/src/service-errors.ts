import { OperatorError } from '@fenestra/kernel';

/** Nothing is registered under this name. */
export function serviceNotFound(name: string): OperatorError {
  return new OperatorError('SERVICE_NOT_FOUND', `Cannot find service "${name}"`, {
    hint: 'Check the name, or install the service first.',
  });
}

/** The service is disabled. */
export function serviceDisabled(name: string): OperatorError {
  return new OperatorError('SERVICE_CONFLICT', `Cannot start service "${name}", because it is disabled`, {
    hint: 'Install the service with another start type.',
  });
}

/** The services need each other, so none can be first. */
export function dependencyCycle(names: readonly string[]): OperatorError {
  return new OperatorError(
    'SERVICE_CONFLICT',
    `Cannot start services that need each other: "${names.join('" needs "')}"`,
    {
      hint: 'Install one of them without the dependency.',
    },
  );
}

/** The service does not run, and so cannot be determined anything. */
export function serviceNotRunning(name: string, startCommand: string): OperatorError {
  return new OperatorError('SERVICE_CONFLICT', `Cannot control service "${name}", because it does not run`, {
    hint: `Start it with "${startCommand}".`,
  });
}

/** What is known of a failed start. */
export interface StartFailure {
  readonly name: string;
  readonly exitCode: number | undefined;
  readonly logsCommand: string;
  readonly reason?: string;
}

/** The service's program did not come up, or ended at once. */
export function serviceFailed({ name, exitCode, logsCommand, reason }: StartFailure): OperatorError {
  return new OperatorError('SERVICE_FAILED', `Cannot start service "${name}"`, {
    hint: `Read its log with "${logsCommand}".`,
    details: { ...(exitCode === undefined ? {} : { exitCode }), ...(reason === undefined ? {} : { reason }) },
  });
}
