import { OperatorError } from '@fenestra/kernel';

/** A bootstrap token taken apart. The secret is never printed. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** Takes a bootstrap token apart, or throws `TOKEN_INVALID`, never quoting it. */
export function parseBootstrapToken(text: string): BootstrapToken {
  const [, id, secret] = TOKEN.exec(text.trim()) ?? [];
  if (id !== undefined && secret !== undefined) return { id, secret };
  throw new OperatorError('TOKEN_INVALID', `Cannot read the bootstrap token: ${SHAPE}`, {
    hint: 'Make one with "kubeadm token create" on the control plane and copy the whole of it.',
  });
}

/** The token as one text again. */
export function bootstrapTokenText({ id, secret }: BootstrapToken): string {
  return `${id}.${secret}`;
}

const SHAPE = 'it must be six characters, a dot and sixteen characters, all of them lower-case letters and digits';
