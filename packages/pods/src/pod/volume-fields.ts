import * as z from 'zod/mini';
import { FieldReference, ResourceReference } from './container-fields.ts';
import { anyJson, flag, integer, pathName, Quantity, text } from './scalars.ts';

const Items = z.exactOptional(z.array(z.object({ key: z.string(), path: z.string(), mode: integer })));

const DownwardFile = z.object({
  path: z.string(),
  mode: integer,
  fieldRef: z.exactOptional(FieldReference),
  resourceFieldRef: z.exactOptional(ResourceReference),
});
const DownwardFiles = z.exactOptional(z.array(DownwardFile));
export type DownwardFile = z.infer<typeof DownwardFile>;

const named = z.prefault(z.string(), '');

const ProjectedSource = z.catchall(
  z.object({
    configMap: z.exactOptional(z.object({ name: named, items: Items, optional: flag })),
    secret: z.exactOptional(z.object({ name: named, items: Items, optional: flag })),
    downwardAPI: z.exactOptional(z.object({ items: DownwardFiles })),
    serviceAccountToken: z.exactOptional(z.object({ audience: text, expirationSeconds: z.int(), path: z.string() })),
  }),
  anyJson,
);
export type ProjectedSource = z.infer<typeof ProjectedSource>;

/** A volume. A source that is not named here is of a kind that is not supported, and kept to be named. */
export const Volume = z.catchall(
  z.object({
    name: pathName,
    emptyDir: z.exactOptional(z.object({ medium: text, sizeLimit: z.exactOptional(Quantity) })),
    hostPath: z.exactOptional(z.object({ path: z.string(), type: text })),
    configMap: z.exactOptional(z.object({ name: named, items: Items, defaultMode: z.int(), optional: flag })),
    secret: z.exactOptional(z.object({ secretName: named, items: Items, defaultMode: z.int(), optional: flag })),
    downwardAPI: z.exactOptional(z.object({ items: DownwardFiles, defaultMode: z.int() })),
    projected: z.exactOptional(z.object({ sources: z.exactOptional(z.array(ProjectedSource)), defaultMode: z.int() })),
    persistentVolumeClaim: z.exactOptional(z.object({ claimName: z.string(), readOnly: flag })),
  }),
  anyJson,
);
export type Volume = z.infer<typeof Volume>;
