/** Sends a signal to a process that may have ended meanwhile. */
export function sendSignal(pid: number, signalName: NodeJS.Signals): void {
  try {
    process.kill(pid, signalName);
  } catch {
    // It has ended by itself.
  }
}
