import type { AccessControl, FileStore, Host, HostFacts } from '@fenestra/platform';

/** What the far end needs of the machine it runs on. */
export interface FarEndPorts {
  readonly host: Pick<Host, 'self' | 'isAlive'>;
  readonly os: HostFacts['os'];
  readonly files: Pick<FileStore, 'replace' | 'move' | 'removeTree'>;
  readonly access: Pick<AccessControl, 'makePrivate'>;
  readonly now: () => Date;
  /** How this program starts itself. */
  readonly ownCommand: readonly string[];
  /** Says one event to whoever has called. */
  readonly emit: (line: string) => void;
  /** Whether it is known that nobody listens any more. */
  readonly unheard: () => boolean;
}
