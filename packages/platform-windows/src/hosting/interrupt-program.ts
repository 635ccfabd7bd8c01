import type { Native } from '../native.ts';

const CTRL_BREAK = 1;
const EVERYBODY = 0;

/**
 * Tells everybody on the console of a process to end, as Ctrl-Break does; returns whether that could be said. It is the
 * work of a process of its own, because whoever says it has to be on that console and hears it too.
 */
export function interruptProgram({ kernel32 }: Native, pid: number): boolean {
  for (const signal of ['SIGBREAK', 'SIGINT'] as const) process.on(signal, takeNoNotice);
  kernel32.FreeConsole();
  return kernel32.AttachConsole(pid) !== 0 && kernel32.GenerateConsoleCtrlEvent(CTRL_BREAK, EVERYBODY) !== 0;
}

function takeNoNotice(): void {
  // A listener is all it takes.
}
