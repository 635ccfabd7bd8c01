import { win32 } from 'node:path';
import type { Places } from '../far-system.ts';

/** Where everything of ours is. Not below the folder of any account, which may have blanks in its name. */
export const WINDOWS_BASE = 'C:\\ProgramData\\fenestra';

/** Where things of a run are. */
export function windowsPlaces(name: string, sha256: string): Places {
  const runFolder = win32.join(WINDOWS_BASE, 'runs', name);
  return {
    program: win32.join(WINDOWS_BASE, 'store', sha256, 'keadm.exe'),
    runFolder,
    filesFolder: win32.join(runFolder, 'files'),
    workFolder: win32.join(runFolder, 'work'),
    undoFolder: win32.join(runFolder, 'undo'),
    agentConfig: 'C:\\etc\\kubeedge\\config\\edgecore.yaml',
    configBefore: win32.join(runFolder, 'before.yaml'),
  };
}
