import type { ServiceAction } from '@fenestra/platform';

/** What an operator types on a machine with systemd. */
export function commandLine(action: ServiceAction, name: string): string {
  return action === 'logs' ? `journalctl --unit ${name} --lines 100` : `systemctl ${action} ${name}`;
}
