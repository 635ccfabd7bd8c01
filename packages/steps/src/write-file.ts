import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { OperatorError } from '@fenestra/kernel';
import type { StepPorts } from '@fenestra/session';
import { defineStep } from './define-step.ts';
import { BeforeFile, lookAt, putBack, putInPlace, keepBefore } from './replaced-files.ts';

/** Puts a text file in place. The content is journaled, so it must not be secret: `write-secret` is for that. */
export const writeFile = defineStep({
  kind: 'write-file',
  data: z.object({ path: z.string(), content: z.string() }),
  before: BeforeFile,
  describe: ({ path }) => `Write "${path}"`,
  prepare: async ({ path }) => lookAt(path),
  apply: async (step, before, { ports }, signal) => putInPlace(step, before, ports, signal),
  revert: async ({ path }, before, { ports }, signal) => putBack(path, before, ports, signal),
});

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
  before: BeforeFile,
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

/**
 * Puts a secret in place that no one else could read at any moment, whatever the rights of its folder: it is written
 * inside its own private folder, and keeps its own rights when it is moved out.
 */
export async function placePrivately(
  path: string,
  content: string,
  { files, access }: Pick<StepPorts, 'files' | 'access'>,
  signal: AbortSignal,
): Promise<void> {
  const nursery = nurseryOf(path);
  const inside = join(nursery, 'content');
  await files.createFolder(nursery);
  await access.makePrivate(nursery);
  await files.replace(inside, content);
  await access.makePrivate(inside);
  await files.move(inside, path);
  await files.removeTree(nursery, dirname(path), signal);
}

/** Removes a secret, and what a placement that was cut off has left of it. */
export async function removePrivately(
  path: string,
  { files }: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  await forgetPlacement(path, { files }, signal);
  await files.removeTree(path, dirname(path), signal);
}

/** Removes what a placement that was cut off has left beside its place. */
async function forgetPlacement(path: string, { files }: Pick<StepPorts, 'files'>, signal: AbortSignal): Promise<void> {
  await files.removeTree(nurseryOf(path), dirname(path), signal);
}

/** The private folder in which a secret is made before it is moved to its place. */
export function nurseryOf(path: string): string {
  return `${path}.private`;
}
