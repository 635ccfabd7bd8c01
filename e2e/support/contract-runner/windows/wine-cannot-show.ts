import type { AccessBed, FileBed, HostBed, ServiceBed, WorkerHostBed } from '@fenestra/platform/contract';

/** Why some topics of each port cannot be shown. */
export interface CannotShow {
  readonly services: ServiceBed['cannotShow'];
  readonly files: FileBed['cannotShow'];
  readonly access: AccessBed['cannotShow'];
  readonly host: HostBed['cannotShow'];
  readonly worker: WorkerHostBed['cannotShow'];
}

/** On Windows itself everything can be shown that only Wine cannot. */
export const NOTHING: CannotShow = { services: {}, files: {}, access: {}, host: {}, worker: {} };

const NOT_STORED = 'Wine accepts failure actions and forgets them: it neither gives them back nor restarts anything';

/** What Wine does not have. */
export const WINE_CANNOT_SHOW: CannotShow = {
  services: {
    'recovery-read-back': NOT_STORED,
    'recovery-restart': NOT_STORED,
    dependencies: 'Wine stores dependencies but does not start them first',
  },
  files: { links: 'Wine cannot create symbolic links or junctions' },
  access: { 'rights-read-back': 'Wine keeps no access list: it makes one up from the Unix mode bits of the file' },
  host: { 'boot-identity': 'Wine has no System process, by whose start our adapter tells boots apart' },
  worker: { 'rule-read-back': 'Wine has no firewall: its netsh does nothing and says that it has succeeded' },
};
