import type { ServiceSpec, RecoveryPolicy } from '@fenestra/platform';
import { quoteWords, quoteCommand } from './exec-words.ts';

/** One line of a unit file: a directive, or a remark for who reads it there. */
export type Setting = readonly [key: string, value: string | number] | string;

/** The line as it stands in the file. */
export function settingLine(setting: Setting): string {
  return typeof setting === 'string' ? `# ${setting}\n` : `${setting[0]}=${setting[1]}\n`;
}

/** Rights of root's that no service of ours uses: to set the clock, to restart the machine, to change its own guards. */
const NEEDLESS_CAPABILITIES = [
  'CAP_AUDIT_CONTROL',
  'CAP_BLOCK_SUSPEND',
  'CAP_MAC_ADMIN',
  'CAP_MAC_OVERRIDE',
  'CAP_SYS_BOOT',
  'CAP_SYS_PACCT',
  'CAP_SYS_TIME',
  'CAP_WAKE_ALARM',
] as const;

/**
 * Only what an agent that runs containers can live with: nothing that gives it separate mounts (those it makes must
 * reach the containers) or closes devices, control groups, kernel settings, namespaces or set-group-id bits to it, and
 * nothing against a just-in-time compiler. A service that names the folders it writes to is no such agent, and is held
 * more tightly.
 */
export function hardeningSettings({ rights, writableFolders }: ServiceSpec): readonly Setting[] {
  if (rights === 'all') return [NOT_OURS];
  return [...LIGHT, ...(writableFolders.length > 0 ? [...TIGHT, writable(writableFolders)] : [WHY_NO_MORE])];
}

const LIGHT: readonly Setting[] = [
  ['UMask', '0077'],
  ['NoNewPrivileges', 'yes'],
  ['CapabilityBoundingSet', `~${NEEDLESS_CAPABILITIES.join(' ')}`],
  ['LockPersonality', 'yes'],
  ['RestrictRealtime', 'yes'],
  ['SystemCallArchitectures', 'native'],
];

const NOT_OURS: Setting = 'Not hardened: what this program needs is unknown.';

const WHY_NO_MORE: Setting = 'No private mounts (ProtectSystem= and the like): what it mounts must reach its pods.';

const TIGHT: readonly Setting[] = [
  'This service declares where it writes; the rest of the file system is read-only for it.',
  ['ProtectSystem', 'strict'],
  ['ProtectKernelTunables', 'yes'],
  ['ProtectKernelModules', 'yes'],
  ['ProtectControlGroups', 'yes'],
  ['RestrictNamespaces', 'yes'],
  ['RestrictSUIDSGID', 'yes'],
];

function writable(folders: readonly string[]): Setting {
  return ['ReadWritePaths', quoteWords(folders)];
}

/** systemd's default, which the wait before the program adds to. */
const START_TIMEOUT_SECONDS = 90;

/**
 * The part of each wait that is longer than the first, which `RestartSec=` is. systemd itself can let the wait grow
 * since version 254 only, and in no version does it count from the beginning again after a long time without a failure.
 * `NRestarts` is 0 after a manual start, so that never waits. A failure of the script must not keep the service down.
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
