import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptBed } from '@fenestra/platform/contract';

/** A shell script that hands everything on to Node. */
export const writeShellScript: ScriptBed['writeScript'] = async (folder, programFile) => {
  const path = join(folder, 'script.sh');
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`, { mode: 0o700 });
  return path;
};

/** A batch script that hands everything on to Node. */
export const writeBatchScript: ScriptBed['writeScript'] = async (folder, programFile) => {
  const path = join(folder, 'script.cmd');
  await writeFile(path, `@"${process.execPath}" "${programFile}" %*\r\n@exit /b %ERRORLEVEL%\r\n`);
  return path;
};
