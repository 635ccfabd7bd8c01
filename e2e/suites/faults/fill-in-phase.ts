import type { Answer } from '../../support/lifecycle/answer.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';
import { lastPhase } from './last-phase.ts';
import type { NodeDisk } from '../../support/faults/node-disk.ts';

/** What has to fail, and where. */
export interface FillWishes {
  readonly machine: KeadmMachine;
  readonly disk: NodeDisk;
  /** The phase in the middle of which the disk has to be full. */
  readonly phase: string;
  /** About how much room the work needs to come there. */
  readonly room: number;
  /** Does the work, and looks whether it ended as it has to, wherever the disk was full. */
  readonly attempt: () => Promise<Answer>;
}

const PAGE = 4096;
/** The system writes, too, and takes or gives a page now and then; so a guess is tried twice, and the places around it. */
const OFFSETS = [0, 0, 1, 1, -1, -1, 2, 3];

/** Lets the disk become full until that has happened in the wanted phase. */
export async function fillInPhase({ machine, disk, phase, room, attempt }: FillWishes): Promise<Answer> {
  const met: (string | undefined)[] = [];
  for (const offset of OFFSETS) {
    const answer = await disk.withRoom(room + offset * PAGE, attempt);
    met.push(await lastPhase(machine));
    if (met.at(-1) === phase) return answer;
  }
  throw new Error(`The disk was full in ${met.join(', ')}, and never in ${phase}`);
}

/** Room for a file of this size, and for so many pages more. */
export function roomFor(bytes: number, pages: number): number {
  return (Math.ceil(bytes / PAGE) + pages) * PAGE;
}
