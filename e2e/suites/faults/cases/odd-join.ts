import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { nodeFile } from '../../../support/cloud/node-file.ts';
import { untilConnected } from '../../../support/cloud/patience.ts';
import { join, joinArgs } from '../../../support/lifecycle/administrator.ts';
import { ask } from '../../../support/lifecycle/answer.ts';
import type { FaultParts } from '../fault-parts.ts';
import { oddPath, writeOwn, writeScript } from '../own-files.ts';

const SCRIPT_FAILED = 67;
const NODE_LOCKED = 5;

/** The join that stays: everything it is given has blanks and umlauts in its path, and others get in its way. */
export function oddJoin(parts: FaultParts): void {
  test('a join at work is named to anyone who comes in between, and a post-run that fails is reported and undoes nothing', async () => {
    const { node } = parts();
    const { machine } = node;
    const reported = oddPath(machine, 'written by pre-run');
    const config = await writeOwn(
      machine,
      'knoten für müller.yaml',
      nodeFile(node.os, { name: node.name, network: node.network, settings: {} }),
    );
    const preRun = await writeScript(machine, 'vor dem lauf', {
      shell: `printf '%s' "$FENESTRA_NODE_NAME" > "${reported}"`,
      // By the script's own folder: a batch file is not read as UTF-8.
      batch: 'echo %FENESTRA_NODE_NAME%> "%~dp0written by pre-run"',
    });
    const postRun = await writeScript(machine, 'nach dem lauf', { shell: 'exit 5', batch: 'exit /b 5' });
    // Long enough for someone to come in between even on a busy machine.
    const flags = ['--config', config, '--pre-run', preRun, '--post-run', postRun, '--settle', '15s'];
    const joining = join(parts(), ...flags);
    const tooSoon = joining.then(({ said }) => Promise.reject(new Error(`The join ended at once: ${said}`)));
    await Promise.race([untilConnected(node), tooSoon]);
    tooSoon.catch(() => undefined);

    const between = await ask(machine, ['reset', '--force']);
    expect(between).toMatchObject({ exitCode: NODE_LOCKED, error: { code: 'NODE_LOCKED' } });
    expect(between.error?.message).toMatch(/while "keadm join" \(process \d+\) does/);

    const { exitCode, outcome, error } = await joining;
    expect({ exitCode, outcome, code: error?.code }).toEqual({
      exitCode: SCRIPT_FAILED,
      outcome: 'applied',
      code: 'SCRIPT_FAILED',
    });
    expect(error?.message).toContain('nach dem lauf ü');
    expect((await readFile(machine.node.hostPath(reported), 'utf8')).trim()).toBe(node.name);
    await untilConnected(node);
  });

  test('a second join of a joined node changes nothing', async () => {
    const { node } = parts();
    const before = { pid: (await node.status())?.pid, config: await node.readFile() };
    expect(await ask(node.machine, joinArgs(node))).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    expect({ pid: (await node.status())?.pid, config: await node.readFile() }).toEqual(before);
  });
}
