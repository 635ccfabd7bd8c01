import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { PATIENCE, untilConnected } from '../../../support/cloud/patience.ts';
import { isUnfinished, newestJournal } from '../../../support/kill-points/journal-watch.ts';
import { upgrade, upgradeArgs } from '../../../support/lifecycle/administrator.ts';
import { type Answer, ask, AT_ONCE, mustDo } from '../../../support/lifecycle/answer.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';
import type { KeadmMachine } from '../../../support/machines/keadm-machine.ts';
import { registrationOf } from '../../../support/machines/registration.ts';
import { versionOf } from '../../../support/releases/test-releases.ts';
import { OWN_VERSION } from '../../../support/releases/versions.ts';
import type { FaultParts } from '../fault-parts.ts';
import { hasReached, lastPhase } from '../last-phase.ts';
import { NOT_NOTICED_BY_WINE } from '../../../support/faults/node-disk.ts';

const DISK_FULL = 20;
/** Not even the rollback, or the last records, may have had room: then the guard goes on as soon as there is some. */
const UNFINISHED: readonly unknown[] = ['DISK_FULL', 'REVERT_INCOMPLETE', 'FINISH_INCOMPLETE'];
const LITTLE_BYTES = 64 * 1024 * 1024;
/** For the new program, a copy of the old one, the guard, and not much more: it takes time to fill. */
const ENOUGH_BYTES = 600 * 1024 * 1024;
/** Often, for the first phases take less than a second. */
const OFTEN = { timeout: PATIENCE.timeout, interval: 10 };

/** A disk that is full, or is filled by others, while a node is upgraded. */
export function fullDiskUpgrade(parts: FaultParts): void {
  test('a disk without room for two versions is DISK_FULL before an upgrade begins', async () => {
    const { disk, node } = parts();
    const before = await node.status();
    const answer = await disk.withRoom(LITTLE_BYTES, async () => upgrade(node, 'good'));
    expect(answer).toMatchObject({ exitCode: DISK_FULL, error: { code: 'DISK_FULL' } });
    expect(await node.status()).toMatchObject({ pid: before?.pid, version: OWN_VERSION, connected: true });
  });

  test.for([
    ['fetch-program', 0],
    ['back-up-version', 1],
    ['arm-guard', 2],
  ] as const)(
    'a disk that others fill in "%s" of an upgrade is DISK_FULL, and the old version never stops',
    async ([phase, copiesBefore]) => {
      const { disk, node } = parts();
      const before = await node.status();
      const { size } = await stat(node.machine.node.hostPath(node.machine.paths.agent));
      // Every one of these phases writes a program. That the last of it has no room is arranged in time for all of them.
      const answer = await filledOnce(parts(), async () => disk.fillUpTo((copiesBefore + 0.95) * size));
      expect(answer).toMatchObject({ exitCode: DISK_FULL, outcome: 'reverted', error: { code: 'DISK_FULL' } });
      expect(await lastPhase(node.machine)).toBe(phase);
      expect(await node.status()).toMatchObject({ pid: before?.pid, version: OWN_VERSION, connected: true });
    },
  );

  test.for([
    ['while the old version stops', async () => hasReached(parts().node.machine, 'exchange-program')],
    ['while the new version proves itself', async () => isOnNewVersion()],
  ] as const)(
    'a disk that others fill %s leaves a node that comes to rest by itself',
    async ([when, isMoment], { skip }) => {
      const { node } = parts();
      skip(node.os === 'windows' && when === 'while the old version stops', NOT_NOTICED_BY_WINE);
      const { disk } = parts();
      const fillThen = async (): Promise<void> => {
        await vi.waitFor(async () => expect(await isMoment()).toBe(true), OFTEN);
        disk.fill();
      };
      const answer = await filledOnce(parts(), fillThen, '--settle', '6s', '--wait', '15s');
      expect(UNFINISHED).toContain(answer.error?.code);
      await vi.waitFor(async () => expect(isUnfinished(await newestJournal(node.machine))).toBe(false), PATIENCE);
      await vi.waitFor(
        async () => expect(await registrationOf(node.machine, 'fenestra-guard')).toBeUndefined(),
        PATIENCE,
      );
      await untilConnected(node);
      if (await isOnNewVersion()) await mustDo(node.machine, ['rollback', ...AT_ONCE]);
      expect(await standingOf(node)).toEqual({ version: OWN_VERSION, connected: true });
    },
  );

  test('an upgrade that is killed on a full disk is undone by the guard before there is room again', async () => {
    const { disk, node } = parts();
    const before = await node.status();
    const agent = await agentHere();
    expect(agent.running).toBe(true);
    await disk.withRoom(ENOUGH_BYTES, async () => {
      const killed = { FENESTRA_KILL_AFTER_RECORD: `${await recordsUntil('stop-service')}` };
      const earlier = (await newestJournal(node.machine))?.path;
      const upgrading = ask(node.machine, await upgradeArgs(node, 'good'), killed);
      await untilNewJournal(node.machine, earlier);
      await vi.waitFor(async () => expect(await hasReached(node.machine, 'exchange-program')).toBe(true), OFTEN);
      disk.fill();
      await upgrading;
      await vi.waitFor(async () => expect(await agentHere()).toEqual(agent), PATIENCE);
    });
    await untilConnected(node);
    expect(await standingOf(node)).toEqual({ version: OWN_VERSION, connected: true });
    expect((await node.status())?.pid).not.toBe(before?.pid);
    await vi.waitFor(async () => expect(isUnfinished(await newestJournal(node.machine))).toBe(false), PATIENCE);
  });

  /** On a full disk an agent cannot write how it is, but its service manager can say whether it runs. */
  async function agentHere(): Promise<{ program: string; running: boolean }> {
    const { machine } = parts().node;
    const program = await readFile(machine.node.hostPath(machine.paths.agent));
    const { said } = await ask(machine, ['service', 'status']);
    return {
      program: createHash('sha256').update(program).digest('hex'),
      running: said.includes('"state": "running"'),
    };
  }

  /** How many records an upgrade's journal has when this step is done. */
  async function recordsUntil(kind: string): Promise<number> {
    const { node } = parts();
    const { said } = await mustDo(node.machine, [...(await upgradeArgs(node, 'good')), '--dry-run']);
    const steps = [...said.matchAll(/"kind": "([\w-]+)"/g)].map(([, found]) => found);
    return 1 + 2 * (steps.indexOf(kind) + 1);
  }

  async function isOnNewVersion(): Promise<boolean> {
    const { version, connected } = await standingOf(parts().node);
    return version === versionOf('good') && connected;
  }
}

/** Upgrades, and lets others fill the disk once that has begun. */
async function filledOnce(
  { disk, node }: ReturnType<FaultParts>,
  fill: () => Promise<void>,
  ...flags: readonly string[]
): Promise<Answer> {
  // The journal of an earlier run must not pass for this one's.
  const earlier = (await newestJournal(node.machine))?.path;
  return disk.withRoom(ENOUGH_BYTES, async () => {
    const upgrading = upgrade(node, 'good', ...flags);
    await untilNewJournal(node.machine, earlier);
    await fill();
    return upgrading;
  });
}

async function untilNewJournal(machine: KeadmMachine, earlier: string | undefined): Promise<void> {
  await vi.waitFor(async () => expect((await newestJournal(machine))?.path).not.toBe(earlier), OFTEN);
}
