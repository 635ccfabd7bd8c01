import { vi } from 'vitest';

/** How long a wait for something that has to happen may take: on a busy machine a process may take many seconds to start. */
const PATIENCE_MS = 60_000;

type Options = number | { readonly timeout?: number; readonly interval?: number };
type Wait = (check: () => unknown, options?: Options) => Promise<unknown>;

// A worker runs several files, and the waits must be changed once.
if (!Reflect.has(vi, 'isPatient')) {
  Reflect.set(vi, 'isPatient', true);
  for (const name of ['waitFor', 'waitUntil'] as const) {
    const wait: Wait = vi[name];
    Reflect.set(vi, name, async (check: () => unknown, options?: Options) =>
      wait(check, { ...(typeof options === 'object' ? options : {}), timeout: PATIENCE_MS }),
    );
  }
}
