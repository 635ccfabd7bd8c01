import type { RecoveryPolicy } from '@fenestra/platform';
import { quoteCommand } from './exec-words.ts';
import type { Setting } from './setting.ts';

/** systemd's default, which the wait before the program adds to. */
const START_TIMEOUT_SECONDS = 90;

/**
 * The part of each wait that is longer than the first, which `RestartSec=` is. systemd itself can let the wait grow
 * since version 254 only, and in no version does it count from the beginning again after a long time without a failure.
 * `NRestarts` is 0 after a start by hand, so that never waits. A failure of the script must not keep the service down.
 */
export function growingDelays(unit: string, recovery: RecoveryPolicy): readonly Setting[] {
  const { restartDelaysSeconds: delays, resetAfterSeconds } = recovery;
  const first = delays[0] ?? 0;
  const further = delays.map((delay) => Math.max(0, delay - first));
  const longest = Math.max(0, ...further);
  if (longest === 0) return [];
  const script = waitScript(unit, [0, ...further], resetAfterSeconds);
  return [
    'The waits before the second and later restarts are longer than RestartSec= by what this waits.',
    ['ExecStartPre', `-${quoteCommand('/bin/sh', ['-c', script])}`],
    ['TimeoutStartSec', START_TIMEOUT_SECONDS + longest],
  ];
}

function waitScript(unit: string, waits: readonly number[], resetAfterSeconds: number): string {
  const properties = ['NRestarts', 'ActiveEnterTimestampMonotonic', 'ActiveExitTimestampMonotonic'];
  const last = waits.length - 1;
  return [
    `eval "$(systemctl show ${properties.map((property) => `-p ${property}`).join(' ')} ${unit})"`,
    'ran=$(( (ActiveExitTimestampMonotonic - ActiveEnterTimestampMonotonic) / 1000000 ))',
    `if [ "$ran" -ge ${resetAfterSeconds} ]; then exec systemctl reset-failed ${unit}; fi`,
    `[ "$NRestarts" -le ${last} ] || NRestarts=${last}`,
    `set -- ${waits.join(' ')}`,
    'shift "$NRestarts"',
    'exec sleep "$1"',
  ].join('; ');
}
