import type { AccessBed, FileBed, HostBed, PodHostBed, ServiceBed, WorkerHostBed } from '@fenestra/platform/contract';

/** Why some topics of each port cannot be shown. */
export interface CannotShow {
  readonly services: ServiceBed['cannotShow'];
  readonly files: FileBed['cannotShow'];
  readonly access: AccessBed['cannotShow'];
  readonly host: HostBed['cannotShow'];
  readonly pods: PodHostBed['cannotShow'];
  readonly worker: WorkerHostBed['cannotShow'];
}

/** On Windows itself everything can be shown that only Wine cannot. */
export const NOTHING: CannotShow = { services: {}, files: {}, access: {}, host: {}, pods: {}, worker: {} };

const NO_LINKS = 'Wine cannot create symbolic links or junctions';
const NOT_STORED = 'Wine accepts failure actions and forgets them: it neither gives them back nor restarts anything';

/** What Wine does not have. */
export const WINE_CANNOT_SHOW: CannotShow = {
  services: {
    'recovery-read-back': NOT_STORED,
    'recovery-restart': NOT_STORED,
    dependencies: 'Wine stores dependencies but does not start them first',
  },
  files: { links: NO_LINKS },
  access: { 'rights-read-back': 'Wine keeps no access list: it makes one up from the Unix mode bits of the file' },
  host: { 'boot-identity': 'Wine has no System process, by whose start our adapter tells boots apart' },
  pods: { links: NO_LINKS },
  worker: { 'rule-read-back': 'Wine has no firewall: its netsh does nothing and says that it has succeeded' },
};
