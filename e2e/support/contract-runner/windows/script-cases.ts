import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsScripts } from '@fenestra/platform-windows';
import { isWine } from './is-wine.ts';
import { scratchFolder, soon, type WindowsBed } from './windows-bed.ts';

const LIMIT_MS = 30_000;

/** The kinds of script that only Windows has. */
export function scriptCases(bed: WindowsBed): readonly ContractCase[] {
  const scripts = windowsScripts(bed.native);
  const run = (path: string, args: readonly string[]) =>
    scripts.run({ path, args, env: {}, limitMs: LIMIT_MS }, soon());
  return [
    {
      name: 'a program runs by itself as a script, with its arguments as they are',
      run: async () => {
        const { exitCode, output } = await run(process.execPath, ['-p', 'process.argv[1]', '100% "x" \\']);
        assert.deepEqual({ exitCode, output: output.trim() }, { exitCode: 0, output: '100% "x" \\' });
      },
    },
    {
      name: 'a PowerShell script runs although the machine forbids scripts, and its exit code is reported',
      ...(isWine(bed.koffi) ? { skip: 'The PowerShell of Wine does nothing and says that it has succeeded' } : {}),
      run: async () => {
        const path = join(await scratchFolder(bed), 'script.ps1');
        await writeFile(path, 'Write-Output $args[0]; exit 5\r\n');
        const { exitCode, output } = await run(path, ['a b']);
        assert.deepEqual({ exitCode, output: output.trim() }, { exitCode: 5, output: 'a b' });
      },
    },
    {
      name: 'what cmd.exe would read as a command or a variable is refused before anything runs',
      run: async () => {
        const path = join(await scratchFolder(bed), 'script.cmd');
        await writeFile(path, '@exit /b 0\r\n');
        for (const odd of ['%PATH%', 'a" & echo x']) await assert.rejects(run(path, [odd]), { code: 'SCRIPT_FAILED' });
      },
    },
  ];
}
