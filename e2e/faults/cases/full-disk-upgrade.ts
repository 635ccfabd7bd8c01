import { stat } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { PATIENCE, untilConnected } from '../../cloud/patience.ts';
import { isUnfinished, newestJournal } from '../../kill-points/journal-watch.ts';
import { upgrade } from '../../lifecycle/administrator.ts';
import type { Answer } from '../../lifecycle/answer.ts';
import { standingOf } from '../../lifecycle/node-state.ts';
import { registrationOf } from '../../machines/registration.ts';
import { versionOf } from '../../releases/test-releases.ts';
import { OWN_VERSION } from '../../releases/versions.ts';
import type { FaultParts } from '../fault-parts.ts';
import { fillInPhase, roomFor } from '../fill-in-phase.ts';

const DISK_FULL = 20;
/** The new program, the copy of the old one and the guard are each a program long. */
const PHASES = [
  { phase: 'fetch-program', programs: 0.5 },
  { phase: 'back-up-version', programs: 1.5 },
  { phase: 'arm-guard', programs: 2.5 },
] as const;

/** A disk that becomes full while a node is upgraded. */
export function fullDiskUpgrade(parts: FaultParts): void {
  const programBytes = async (): Promise<number> => {
    const { machine } = parts().node;
    return (await stat(machine.node.hostPath(machine.paths.agent))).size;
  };

  /** An upgrade that has to fail while the old agent goes on as if nothing were. */
  const attempt = async (): Promise<Answer> => {
    const { node } = parts();
    const before = await node.status();
    const answer = await upgrade(node, 'good', '--wait', '20s');
    expect(answer).toMatchObject({ exitCode: DISK_FULL, outcome: 'reverted', error: { code: 'DISK_FULL' } });
    expect(await node.status()).toMatchObject({ pid: before?.pid, version: OWN_VERSION, connected: true });
    return answer;
  };

  test.each(PHASES)(
    'a disk full in "$phase" of an upgrade is DISK_FULL, and the old version never stops',
    async (where) => {
      const { disk, node } = parts();
      const room = roomFor((await programBytes()) * where.programs, 0);
      await fillInPhase({ machine: node.machine, disk, phase: where.phase, room, attempt });
    },
  );

  test('a disk that would be too full for the old version to start again is DISK_FULL before it is stopped', async () => {
    const { disk, node } = parts();
    const room = 3 * roomFor(await programBytes(), 0) + roomFor(0, 16);
    await fillInPhase({ machine: node.machine, disk, phase: 'arm-guard', room, attempt });
  });

  test('a disk that others fill while the new version proves itself leaves a node that comes to rest by itself', async () => {
    const { disk, node } = parts();
    const upgrading = upgrade(node, 'good', '--settle', '6s');
    await vi.waitFor(
      async () => expect(await standingOf(node)).toEqual({ version: versionOf('good'), connected: true }),
      PATIENCE,
    );
    const answer = await disk.withRoom(0, async () => upgrading);
    process.stdout.write(`${JSON.stringify({ ...answer, said: answer.said.slice(-1500) }, undefined, 1)}\n`);
    expect(answer.exitCode).not.toBe(0);
    await vi.waitFor(async () => expect(isUnfinished(await newestJournal(node.machine))).toBe(false), PATIENCE);
    await vi.waitFor(
      async () => expect(await registrationOf(node.machine, 'fenestra-guard')).toBeUndefined(),
      PATIENCE,
    );
    await untilConnected(node);
    process.stdout.write(`${JSON.stringify(await standingOf(node))}\n`);
  });
}
