import type { Koffi } from '@fenestra/platform-windows';

/** Loads the FFI addon from its file; the addon itself is the whole of koffi that the adapters use. */
export function loadKoffi(path: string): Koffi {
  const holder: { exports: unknown } = { exports: {} };
  process.dlopen(holder, path);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a native addon has no types to check against
  return holder.exports as Koffi;
}
