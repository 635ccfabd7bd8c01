import { OperatorError } from '@fenestra/kernel';

const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Throws `USAGE` for a name that some service manager, or a path made from it, would take amiss. */
export function requireServiceName(name: string): void {
  if (SERVICE_NAME.test(name)) return;
  throw new OperatorError('USAGE', `Cannot use "${name}" as the name of a service`, {
    hint: 'Use letters, digits, "-" and "_", starting with a letter or digit, at most 64 characters.',
  });
}
