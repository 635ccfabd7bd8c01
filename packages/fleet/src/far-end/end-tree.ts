import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, type HostFacts } from '@fenestra/platform';

/** Ends a process that leads a group of its own, and all that it has started, by force. */
export async function endTree(os: HostFacts['os'], pid: number): Promise<void> {
  if (os === 'linux') return endGroup(pid);
  const taskkill = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  // One that has ended meanwhile is no failure; one that cannot be ended is found out by waiting for it.
  const options = { windowsHide: true, env: childEnvironment() };
  await promisify(execFile)(taskkill, ['/PID', String(pid), '/T', '/F'], options).catch(() => undefined);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
