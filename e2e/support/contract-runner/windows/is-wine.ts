import type { Koffi } from '@fenestra/platform-windows';

/** Whether this Windows is Wine, which has its own function to say so. */
export function isWine(koffi: Koffi): boolean {
  try {
    koffi.load('ntdll.dll').func('str wine_get_version()');
    return true;
  } catch {
    return false;
  }
}
