import { win32 } from 'node:path';
import type { NodeLayout } from '@fenestra/platform';

/** Where KubeEdge puts things on Windows. */
export function windowsLayout(root: string): NodeLayout {
  const configFolder = win32.join(root, 'etc', 'kubeedge');
  const programFolder = win32.join(configFolder, 'bin');
  const stateFolder = win32.join(root, 'var', 'lib', 'kubeedge');
  const bookkeepingFolder = win32.join(root, 'var', 'lib', 'fenestra');
  return {
    configFolder,
    agentConfigFile: win32.join(configFolder, 'config', 'edgecore.yaml'),
    tokenFile: win32.join(configFolder, 'bootstrap-edgecore.conf'),
    versionFile: win32.join(configFolder, 'version.txt'),
    backupsFolder: win32.join(configFolder, 'backups'),
    stateFolder,
    agentLogFile: win32.join(stateFolder, 'log', 'edgecore.log'),
    programFolder,
    agentExecutable: win32.join(programFolder, 'edgecore.exe'),
    cloudExecutable: win32.join(programFolder, 'cloudcore.exe'),
    cloudFolder: win32.join(stateFolder, 'cloud'),
    bookkeepingFolder,
    journalFolder: win32.join(bookkeepingFolder, 'journal'),
    downloadsFolder: win32.join(bookkeepingFolder, 'downloads'),
    guardExecutable: win32.join(bookkeepingFolder, 'guard', 'keadm.exe'),
    lockFolder: win32.join(bookkeepingFolder, 'lock'),
    supervisorFolder: win32.join(bookkeepingFolder, 'supervisor'),
  };
}
