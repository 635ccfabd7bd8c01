import { createHash } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from './define-step.ts';
import type { StepPorts } from '@fenestra/session';
import { forgetPlacement, placePrivately } from './private-file.ts';
import { BeforeText, keepBefore, lookAt, putBack, putInPlace } from './replaced-text.ts';

/** Puts a text file in place whose content the journal must not have: a token, or a configuration with passwords. */
export const writeSecret = defineStep({
  kind: 'write-secret',
  data: z.object({
    path: z.string(),
    /** Which of the run's secrets. */
    secret: z.string(),
    sha256: z.string(),
    /** Whether its own rights have to protect it, because its folder may be one that others can read. */
    ownRights: z.exactOptional(z.literal(true)),
  }),
  before: BeforeText,
  describe: ({ path }) => `Write "${path}"`,
  prepare: async ({ path }) => lookAt(path),
  async apply({ path, secret, sha256, ownRights }, before, { ports }, signal) {
    const content = secretOf(ports, secret, sha256);
    if (ownRights === undefined) return putInPlace({ path, content }, before, ports, signal);
    await keepBefore(path, before, ports, signal);
    await placePrivately(path, content, ports, signal);
  },
  async revert({ path, ownRights }, before, { ports }, signal) {
    if (ownRights === true) await forgetPlacement(path, ports, signal);
    await putBack(path, before, ports, signal);
  },
});

/** The digest by which a plan names a secret text. */
export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function secretOf({ secrets }: StepPorts, name: string, sha256: string): string {
  const text = secrets.get(name);
  if (text !== undefined && digestOfText(text) === sha256) return text;
  throw new OperatorError('NOT_SUPPORTED', `Cannot continue without the secret "${name}" of the interrupted command`, {
    hint: 'Run the interrupted command again; it starts from the beginning.',
  });
}
