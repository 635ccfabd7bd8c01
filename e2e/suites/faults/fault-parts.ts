import type { Life } from '../../support/lifecycle/administrator.ts';
import type { NodeDisk } from '../../support/faults/node-disk.ts';

/** A node whose disk can be made small, and its cloud; a function because they exist only once the tests run. */
export type FaultParts = () => Life & {
  readonly disk: NodeDisk;
  /** Where the administrator has keadm. */
  readonly program: string;
};
