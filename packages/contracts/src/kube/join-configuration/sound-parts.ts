import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { textList } from '../../config/scalars.ts';

/** A field that counts only if it is of the right form; its own schema complains if it is not. */
function ifSound<Schema extends z.ZodMiniType>(schema: Schema) {
  return orElse(z.optional(schema), undefined);
}

const text = ifSound(z.string());
const extraArgs = z.union([
  z.record(z.string(), z.string()),
  z.array(z.object({ name: z.string(), value: z.string() })),
]);

/** The fields of all versions that are checked together, each left out where it is of a wrong form. */
export const SoundParts = z.object({
  discovery: ifSound(
    z.object({
      bootstrapToken: ifSound(
        z.object({ caCertHashes: ifSound(textList), unsafeSkipCAVerification: ifSound(z.boolean()) }),
      ),
      file: ifSound(z.object({ kubeConfigPath: text })),
    }),
  ),
  caCertPath: text,
  nodeRegistration: ifSound(
    z.object({
      name: text,
      criSocket: text,
      kubeletExtraArgs: ifSound(extraArgs),
      ignorePreflightErrors: ifSound(textList),
    }),
  ),
  controlPlane: z.optional(z.unknown()),
});
