import { isDeepStrictEqual } from 'node:util';
import type { SystemSetup } from '@fenestra/platform';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import type { StepPorts } from '@fenestra/session';

const Content = z.union([
  z.object({ type: z.literal('number'), value: z.int() }),
  z.object({ type: z.literal('text'), value: z.string() }),
  z.object({ type: z.literal('other'), code: z.int(), base64: z.string() }),
]);

/** Stores a setting of the system. The value is journaled, so it must not be secret. */
export const setRegistryValue = defineStep({
  kind: 'set-registry-value',
  data: z.object({
    /** Below HKEY_LOCAL_MACHINE. */
    key: z.string(),
    name: z.string(),
    content: Content,
  }),
  before: z.object({ content: z.nullable(Content), missingKeys: z.readonly(z.array(z.string())) }),
  describe: ({ key, name, content }) =>
    `Set "${name}" of "HKLM\\${key}" to ${content.type === 'other' ? 'its value' : String(content.value)}`,
  async prepare({ key, name }, { ports }) {
    const { registry } = setupOf(ports);
    return { content: (await registry.read(key, name)) ?? null, missingKeys: await registry.missingKeys(key) };
  },
  apply: async ({ key, name, content }, _before, { ports }) => setupOf(ports).registry.write(key, name, content),
  async revert({ key, name }, { content, missingKeys }, { ports }) {
    const { registry } = setupOf(ports);
    const isSame = isDeepStrictEqual((await registry.read(key, name)) ?? null, content);
    if (content !== null) return isSame ? undefined : registry.write(key, name, content);
    if (!isSame) await registry.removeValue(key, name);
    for (const missing of missingKeys.toReversed()) await registry.removeKey(missing);
  },
});

/** What only Windows has; a plan that needs it is never made elsewhere. */
export function setupOf({ setup }: StepPorts): SystemSetup {
  if (setup === undefined) throw new Error('A plan for Windows setup runs on another system');
  return setup;
}
