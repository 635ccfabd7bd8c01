import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Koffi, Pointer, Out } from '../native.ts';

/** Writing to the event log. */
export interface EventCalls {
  RegisterEventSourceW(server: null, source: string): Pointer | null;
  ReportEventW(
    log: Pointer,
    type: number,
    category: 0,
    id: number,
    user: null,
    count: 1,
    dataSize: 0,
    texts: readonly [string],
    data: null,
  ): number;
  DeregisterEventSource(log: Pointer): number;
}

/** Binds the event log calls of advapi32. */
export function bindEventCalls(koffi: Koffi): EventCalls {
  const library = koffi.load('advapi32.dll');
  return {
    RegisterEventSourceW: library.func('void *RegisterEventSourceW(str16 server, str16 source)'),
    ReportEventW: library.func(
      'int ReportEventW(void *log, uint16 type, uint16 category, uint32 id, void *user, uint16 count, uint32 dataSize, str16 *texts, void *data)',
    ),
    DeregisterEventSource: library.func('int DeregisterEventSource(void *log)'),
  };
}

/** Messages to every top-level window. */
export interface User32 {
  SendMessageTimeoutW(
    window: Pointer,
    message: number,
    wParam: null,
    lParam: string,
    flags: number,
    timeoutMs: number,
    result: null,
  ): Pointer | null;
}

/** Binds user32; loading it costs time, so it happens when it is first needed. */
export function bindUser32(koffi: Koffi): User32 {
  const library = koffi.load('user32.dll');
  return {
    SendMessageTimeoutW: library.func(
      'void *SendMessageTimeoutW(void *window, uint32 message, void *wParam, str16 lParam, uint32 flags, uint32 timeout, void *result)',
    ),
  };
}

/** The version of the system itself, which no compatibility setting changes. */
export interface Ntdll {
  RtlGetVersion(version: Buffer): number;
}

/** Binds ntdll. */
export function bindNtdll(koffi: Koffi): Ntdll {
  return { RtlGetVersion: koffi.load('ntdll.dll').func('int RtlGetVersion(void *version)') };
}

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
