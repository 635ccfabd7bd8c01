/** Fires at the operator's first Ctrl-C, or when the terminal goes away; a second one ends the process, and recovery deals with the rest. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
