import type { Koffi, Pointer } from '../koffi.ts';

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
