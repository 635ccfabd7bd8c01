import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { join } from '../../../support/lifecycle/administrator.ts';
import { type Answer } from '../../../support/lifecycle/answer.ts';
import { leftOf } from '../../../support/lifecycle/node-state.ts';
import type { FaultParts } from '../fault-parts.ts';
import { fillInPhase, roomFor } from '../fill-in-phase.ts';
import { pictureOfMachine } from '../machine-picture.ts';
import { NOT_NOTICED_BY_WINE } from '../../../support/faults/node-disk.ts';

const DISK_FULL = 20;
const CHECKS_FAILED = 4;
const LITTLE_BYTES = 32 * 1024 * 1024;

/** Each phase that writes, and how many pages beyond the program a join has written before it. */
const PHASES = [
  { phase: 'place-program', pages: -1000 },
  { phase: 'write-configuration', pages: 1 },
  { phase: 'write-token', pages: 2 },
  { phase: 'record-version', pages: 3 },
  { phase: 'register-service', pages: 4 },
  { phase: 'start-service', pages: 7 },
  { phase: 'prove-healthy', pages: 20 },
] as const;

/** Further on a page more or less lets the agent start, and die where memory that maps a file cannot be had. */
const SHOWN_BY_WINE: readonly string[] = ['place-program', 'write-configuration'];

/** A disk that becomes full while a machine joins. Making folders needs no room, so there it cannot be. */
export function fullDiskJoin(parts: FaultParts): void {
  /** A join that is instructed to go on although the disk is small, and has to end without a trace. */
  const attempt = async (): Promise<Answer> => {
    const { machine } = parts().node;
    const before = await pictureOfMachine(machine);
    const answer = await join(parts(), '--skip-check', 'disk', '--wait', '8s');
    expect(answer.said).toContain('"code": "DISK_FULL"');
    expect(answer.exitCode).toBe(DISK_FULL);
    expect(await leftOf(parts().node)).toEqual([]);
    expect(await pictureOfMachine(machine)).toEqual(before);
    return answer;
  };

  test('a disk without room for the program is found out before a join begins', async () => {
    const { disk, node } = parts();
    const before = await pictureOfMachine(node.machine);
    const { exitCode, error } = await disk.withRoom(LITTLE_BYTES, async () => join(parts()));
    expect({ exitCode, message: error?.message }).toEqual({
      exitCode: CHECKS_FAILED,
      message: expect.stringMatching(/disk: .* free at .* needed/),
    });
    expect(await pictureOfMachine(node.machine)).toEqual(before);
  });

  test.each([
    ['the lock', 0],
    ['the journal', 3 * 4096],
  ])('a disk without room for %s is DISK_FULL, and nothing changes', async (_what, room) => {
    await parts().disk.withRoom(room, attempt);
  });

  test.for(PHASES)(
    'a disk full in "$phase" of a join is DISK_FULL, and all is undone',
    async ({ phase, pages }, { skip }) => {
      const { disk, node } = parts();
      skip(node.os === 'windows' && !SHOWN_BY_WINE.includes(phase), NOT_NOTICED_BY_WINE);
      const { size } = await stat(node.machine.node.hostPath(parts().program));
      const wishes = { machine: node.machine, disk, phase, room: roomFor(size, pages), attempt };
      expect((await fillInPhase(wishes)).outcome).toBe('reverted');
    },
  );
}
