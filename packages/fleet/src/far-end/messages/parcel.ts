import * as z from 'zod/mini';

/** One folder or file of a parcel. Paths are relative, with slashes, and stay inside the parcel. */
export const ParcelEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string(), mode: z.int() }),
  z.object({ kind: z.literal('file'), path: z.string(), mode: z.int(), size: z.int(), sha256: z.string() }),
]);
export type ParcelEntry = z.infer<typeof ParcelEntry>;

/** The first line of a parcel on its way to a machine; the files' bytes follow in this order, one after the other. */
export const ParcelHeader = z.array(ParcelEntry);
export type ParcelHeader = z.infer<typeof ParcelHeader>;

/** Whether a path stays where it is put, on every system. */
export function isInsideParcel(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return path !== '' && !path.includes(':') && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}
