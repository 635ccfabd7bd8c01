import { expect, test } from 'vitest';
import { type Answer, ask, mustDo } from '../../../support/lifecycle/answer.ts';
import type { FaultParts } from '../fault-parts.ts';

const FOLDER = '/unwritable';

/** Backups to a disk that cannot be written: the node must not be blocked by what was never done. */
export function unwritableBackup(parts: FaultParts): void {
  test.for([
    ['read-only', 'ro', 'READ_ONLY'],
    ['full', 'size=64k', 'DISK_FULL'],
  ] as const)('a backup to a %s disk leaves nothing to recover', async ([, options, code], { skip }) => {
    const { machine, os } = parts().node;
    skip(os === 'windows', 'a Windows machine of ours has one disk only');
    const mount = `mkdir -p ${FOLDER} && mount -t tmpfs -o ${options} none ${FOLDER}`;
    const answers: Answer[] = [];
    expect((await machine.runAsAdministrator('sh', ['-euc', mount])).exitCode).toBe(0);
    try {
      for (const args of [['backup', '--dir', FOLDER], ['recover']]) answers.push(await ask(machine, args));
    } finally {
      await machine.runAsAdministrator('umount', [FOLDER]);
    }
    const [backup, recovery] = answers;
    expect(backup).toMatchObject({ outcome: 'reverted', error: { code } });
    expect(recovery).toMatchObject({ exitCode: 0, said: expect.stringContaining('"recovered": []') });
    await mustDo(machine, ['backup', '--dir', FOLDER]);
  });
}
