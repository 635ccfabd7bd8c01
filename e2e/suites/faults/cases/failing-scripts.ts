import { expect, test } from 'vitest';
import { join } from '../../../support/lifecycle/administrator.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { programsOn } from '../../../support/faults/machine-processes.ts';
import { pictureOfMachine } from '../machine-picture.ts';
import { writeScript } from '../own-files.ts';

const SCRIPT_FAILED = 67;
/** A program that both systems have and no one else runs. */
const SLEEPERS = /^(sleep|ping)/i;

/** Scripts before a join that do not end well. */
export function failingScripts(parts: LifeParts): void {
  test('a pre-run that fails stops a join before anything changes, with what the script said', async () => {
    const { machine } = parts().node;
    const before = await pictureOfMachine(machine);
    const script = await writeScript(machine, 'fails', {
      shell: 'echo "not today"; exit 3',
      batch: 'echo not today\r\nexit /b 3',
    });
    const { exitCode, error } = await join(parts(), '--pre-run', script);
    expect({ exitCode, message: error?.message }).toEqual({
      exitCode: SCRIPT_FAILED,
      message: expect.stringMatching(/fails ü\.\w+" ended with exit code 3\s+not today/),
    });
    expect(await pictureOfMachine(machine)).toEqual(before);
  });

  test('a pre-run that exceeds its limit is ended with its children, and nothing changes', async () => {
    const { machine } = parts().node;
    const before = await pictureOfMachine(machine);
    const script = await writeScript(machine, 'hangs', {
      shell: 'sleep 300 &\nsleep 300',
      batch: 'start /b ping -n 300 127.0.0.1 >nul\r\nping -n 300 127.0.0.1 >nul',
    });
    const { exitCode, error } = await join(parts(), '--pre-run', script, '--script-limit', '3s');
    expect({ exitCode, message: error?.message }).toEqual({
      exitCode: SCRIPT_FAILED,
      message: expect.stringContaining('did not end in time'),
    });
    expect(programsOn(machine).filter((name) => SLEEPERS.test(name))).toEqual([]);
    expect(await pictureOfMachine(machine)).toEqual(before);
  });
}
