import { expect, test } from 'vitest';
import { untilConnected } from '../../../support/cloud/patience.ts';
import { forgetInCloud, upgrade } from '../../../support/lifecycle/administrator.ts';
import { ask } from '../../../support/lifecycle/answer.ts';
import { leftOf, standingOf } from '../../../support/lifecycle/node-state.ts';
import { pathOn } from '../../../support/machines/keadm-machine.ts';
import type { FaultParts } from '../fault-parts.ts';
import { whileHeld } from '../held-file.ts';

const FILE_IN_USE = 24;
const FINISH_INCOMPLETE = 8;
const NEVER_HELD = 'On Linux an open file can be replaced and deleted all the same';

/** An upgrade of a node whose program someone has open. */
export function heldProgram(parts: FaultParts): void {
  test('an upgrade of a program that someone has open is FILE_IN_USE, and the old version works', async ({ skip }) => {
    const { node } = parts();
    skip(node.os === 'linux', NEVER_HELD);
    const before = await standingOf(node);
    const answer = await whileHeld(node.machine, node.machine.paths.agent, async () => upgrade(node, 'good'));
    expect(answer).toMatchObject({ exitCode: FILE_IN_USE, outcome: 'reverted', error: { code: 'FILE_IN_USE' } });
    expect(answer.error?.message).toContain('edgecore.exe');
    await untilConnected(node);
    expect(await standingOf(node)).toEqual(before);
  });
}

/** A reset of a node of which someone has a file open, and the end of this node. */
export function heldReset(parts: FaultParts): void {
  test('a reset says which file someone has open, and can be run again', async ({ skip }) => {
    const { node } = parts();
    const { machine } = node;
    skip(node.os === 'linux', NEVER_HELD);
    const file = pathOn(machine, machine.paths.configFolder, 'certs', 'server.crt');
    const answer = await whileHeld(machine, file, async () => ask(machine, ['reset', '--force']));
    expect(answer).toMatchObject({ exitCode: FINISH_INCOMPLETE, error: { code: 'FINISH_INCOMPLETE' } });
    expect(answer.error?.message).toMatch(/server\.crt.*(in use|has the file open)/);
  });

  test('a reset leaves nothing behind, whatever happened before', async () => {
    const { node } = parts();
    expect(await ask(node.machine, ['reset', '--force'])).toMatchObject({ exitCode: 0 });
    expect(await leftOf(node)).toEqual([]);
    await forgetInCloud(parts());
  });
}
