import * as z from 'zod/mini';

/** Where the embedded API lists the stored objects that it set aside, for administrators only. */
export const DAMAGED_OBJECTS_PATH = '/fenestra/damaged-objects';

const DamagedObjects = z.object({
  items: z.array(z.object({ resource: z.string(), namespace: z.string(), name: z.string(), reason: z.string() })),
});

/** A stored object that is missing because its stored form is damaged, until it is created again. */
export type DamagedObject = z.infer<typeof DamagedObjects>['items'][number];

/** Writes the answer of the embedded API. */
export function writeDamagedObjects(items: readonly DamagedObject[]): string {
  return JSON.stringify({ items });
}

/** Reads it; undefined for the answer of something else. */
export function readDamagedObjects(text: string): readonly DamagedObject[] | undefined {
  try {
    return DamagedObjects.parse(JSON.parse(text)).items;
  } catch {
    return undefined;
  }
}
