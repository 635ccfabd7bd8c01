import type { Koffi } from '../koffi.ts';

/** The version of the system itself, which no compatibility setting changes. */
export interface Ntdll {
  RtlGetVersion(version: Buffer): number;
}

/** Binds ntdll. */
export function bindNtdll(koffi: Koffi): Ntdll {
  return { RtlGetVersion: koffi.load('ntdll.dll').func('int RtlGetVersion(void *version)') };
}
