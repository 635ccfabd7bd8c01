import type { Koffi, Pointer } from '../native.ts';

interface HostedStatus {
  readonly type: number;
  readonly state: number;
  readonly accepts: number;
  readonly exitCode: number;
  readonly specificExitCode: number;
  readonly checkPoint: number;
  readonly waitHint: number;
}

/** What makes a process a service. Callbacks arrive on the JavaScript thread and must be short. */
export interface HostingCalls {
  /** Starts the service control dispatcher on its own thread; the callback is ServiceMain. */
  startDispatcher(name: string, main: () => void): Pointer | null;
  /** RegisterServiceCtrlHandlerExW; the callback's answer goes back to who sent the control. */
  registerHandler(name: string, handler: (control: number) => number): Pointer | null;
  SetServiceStatus(handle: Pointer, status: HostedStatus): number;
}

/** Binds the hosting calls of advapi32, and what of kernel32 they need. */
export function bindHostingCalls(koffi: Koffi): HostingCalls {
  const advapi32 = koffi.load('advapi32.dll');
  const mainType = koffi.pointer(koffi.proto('void', ['uint32', 'void *']));
  const handlerType = koffi.pointer(koffi.proto('uint32', ['uint32', 'uint32', 'void *', 'void *']));
  const register = advapi32.func('RegisterServiceCtrlHandlerExW', 'void *', ['str16', handlerType, 'void *']);
  return {
    startDispatcher: (name, main) => startThread(koffi, name, koffi.register(main, mainType)),
    registerHandler: (name, handler) => register(name, koffi.register(handler, handlerType), null),
    SetServiceStatus: advapi32.func('SetServiceStatus', 'int', ['void *', koffi.pointer(statusType(koffi))]),
  };
}

/**
 * The dispatcher has the shape of a thread's routine, so it can be one. On a thread of libuv's pool it would block
 * the end of the process, which waits for the pool: the service could then neither exit nor crash.
 */
function startThread(koffi: Koffi, name: string, main: Pointer): Pointer | null {
  const kernel32 = koffi.load('kernel32.dll');
  const moduleOf = kernel32.func('void *GetModuleHandleW(str16 name)');
  const addressOf = kernel32.func('void *GetProcAddress(void *module, str name)');
  const createThread = kernel32.func(
    'void *CreateThread(void *security, size_t stack, void *routine, void *argument, uint32 flags, void *id)',
  );
  const dispatcher = addressOf(moduleOf('advapi32.dll'), 'StartServiceCtrlDispatcherW');
  return createThread(null, 0, dispatcher, serviceTable(koffi, name, main), 0, null);
}

/** The table and the name live outside the JavaScript heap and are never freed: the thread reads them until the end. */
function serviceTable(koffi: Koffi, name: string, main: Pointer): Pointer {
  const text = koffi.alloc('char16', name.length + 1);
  koffi.encode(text, koffi.array('char16', name.length + 1), `${name}\0`);
  const entry = koffi.struct({ name: 'void *', main: 'void *' });
  const table = koffi.alloc(entry, 2);
  koffi.encode(table, koffi.array(entry, 2), [
    { name: text, main },
    { name: null, main: null },
  ]);
  return table;
}

function statusType(koffi: Koffi) {
  return koffi.struct({
    type: 'uint32',
    state: 'uint32',
    accepts: 'uint32',
    exitCode: 'uint32',
    specificExitCode: 'uint32',
    checkPoint: 'uint32',
    waitHint: 'uint32',
  });
}
