import { win32 } from 'node:path';
import type { Places } from '../far-system.ts';

/**
 * Where everything of ours is: where only administrators can make folders, so that nobody puts a program there before we
 * do, and without blanks in its name.
 */
export const WINDOWS_BASE = 'C:\\windows\\fenestra';

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
