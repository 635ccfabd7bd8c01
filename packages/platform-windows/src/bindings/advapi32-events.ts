import type { Koffi, Pointer } from '../koffi.ts';

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
