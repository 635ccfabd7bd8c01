import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Koffi, Out, Pointer } from '../koffi.ts';

/** The Host Networking Service, by which Windows keeps the networks of containers. */
export interface HostNetworkingCalls {
  /** Left out where Windows has no containers. The result is an HRESULT; the response is to be freed. */
  readonly HNSCall?: (method: string, path: string, request: string, response: Out<Pointer | null>) => number;
  readonly CoTaskMemFree: (memory: Pointer) => void;
}

/** Binds vmcompute, which only comes with the feature "Containers" or "Hyper-V". */
export function bindHostNetworking(koffi: Koffi, systemFolder: string): HostNetworkingCalls {
  const CoTaskMemFree = koffi.load('ole32.dll').func('void CoTaskMemFree(void *memory)');
  // By its whole path, for it is none of the few that Windows never looks for elsewhere.
  const file = win32.join(systemFolder, 'vmcompute.dll');
  if (!existsSync(file)) return { CoTaskMemFree };
  const HNSCall = koffi.load(file).func('int HNSCall(str16 method, str16 path, str16 request, _Out_ void **response)');
  return { CoTaskMemFree, HNSCall };
}
