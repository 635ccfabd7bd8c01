import type { SshdMachine } from '../../e2e/support/beds/sshd-bed.ts';
import { PRINT_MARK } from './far-end-scripts.ts';
import type { Site } from './targets.ts';

/** As many as `keadm batch` works on at the same time if nothing else is said. */
const WIDTH = 32;

/** What a way to bring the payload to targets is given. */
export interface Delivery {
  readonly site: Site;
  readonly targets: readonly Target[];
  /** How many targets are worked on at the same time. */
  readonly width: number;
  /** Whether the targets remove the executable after its use, so that many of them fit into the memory. */
  readonly discard: boolean;
}

/** Where a machine is reached. */
export interface Target {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly home: string;
}

/** What a method took. */
export interface Taken {
  readonly seconds: number;
  /** The most that the controller's processes held together. */
  readonly megabytes: number;
  /** Processor time of both ends. */
  readonly processorSeconds: number;
}

/** The same order for every method. */
export function deliveryTo(
  site: Site,
  machines: readonly SshdMachine[],
  { discard }: Pick<Delivery, 'discard'>,
): Delivery {
  const targets = machines.map((machine, index) => ({ name: `edge-${index}`, ...machine }));
  return { site, targets, width: WIDTH, discard };
}

/**
 * The command of all methods but ours, in the folder with the payload: a digest of what has arrived, as our delivery makes
 * one, by the quickest program for it that the targets have; then the executable runs and prints its own mark.
 */
export function shortCommand({ discard }: Delivery): string {
  return `openssl dgst -sha256 -r keadm && ./keadm -c '${PRINT_MARK}; echo'${discard ? '; rm keadm' : ''}`;
}

/** Every target has to have printed the executable's mark; `times` is how often the method shows each. */
export function requireMarks(method: string, output: string, { site, targets }: Delivery, times = 1): void {
  const found = (output.split(site.payload.mark).length - 1) / times;
  if (found !== targets.length) throw new Error(`${method}: ${found} of ${targets.length} targets are right`);
}
