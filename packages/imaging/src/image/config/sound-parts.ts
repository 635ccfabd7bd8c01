import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

/** A field that counts only if it is of the right form; its own schema complains if it is not. */
function ifSound<Schema extends z.ZodMiniType>(schema: Schema) {
  return orElse(z.optional(schema), undefined);
}

const text = ifSound(z.string());
const piece = ifSound(
  z.object({
    url: text,
    sha256: text,
    version: text,
    signature: ifSound(z.object({ url: z.string(), key: z.string() })),
  }),
);

/** A piece, as far as it is of the right form. */
export type SoundPiece = z.infer<typeof piece>;

/** The parts of a file that are checked together, each left out where it is of a wrong form. */
export const SoundParts = z.object({
  role: text,
  containerd: piece,
  cloudbaseInit: piece,
  kubernetes: ifSound(z.object({ version: text, kubelet: piece, kubeadm: piece, kubeProxy: piece })),
});
