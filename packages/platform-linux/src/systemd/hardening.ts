import type { ServiceSpec } from '@fenestra/platform';
import { quoteWords } from './exec-words.ts';
import type { Setting } from './setting.ts';

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
 * Only what an agent that runs containers can live with: nothing that gives it mounts of its own (those it makes must
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
