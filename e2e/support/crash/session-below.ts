import { join } from 'node:path';
import { failpoint } from '@fenestra/kernel';
import {
  linuxHost,
  posixAccessControl,
  posixFileStore,
  readWorkerFacts,
  supervisedServices,
} from '@fenestra/platform-linux';
import type { NodeSession } from '@fenestra/session';
import { STEP_HANDLERS } from '@fenestra/steps';

/** A whole node below one folder, with everything real, that ends at the record the harness names. */
export function sessionBelow(folder: string, supervisorCommand: readonly string[]): NodeSession {
  const at = (path: string): string => join(folder, path);
  const supervisorFolder = at('bookkeeping/supervisor');
  return {
    host: linuxHost(),
    layout: {
      configFolder: at('etc'),
      agentConfigFile: at('etc/config/edgecore.yaml'),
      tokenFile: at('etc/bootstrap-edgecore.conf'),
      versionFile: at('etc/version.txt'),
      backupsFolder: at('etc/backups'),
      stateFolder: at('state'),
      agentLogFile: at('state/log/edgecore.log'),
      programFolder: at('bin'),
      agentExecutable: at('bin/agent'),
      cloudExecutable: at('bin/cloud'),
      cloudFolder: at('cloud'),
      bookkeepingFolder: at('bookkeeping'),
      journalFolder: at('bookkeeping/journal'),
      downloadsFolder: at('bookkeeping/downloads'),
      guardExecutable: at('bookkeeping/guard/keadm'),
      lockFolder: at('bookkeeping/lock'),
      supervisorFolder,
    },
    workerFacts: readWorkerFacts,
    ports: {
      host: linuxHost(),
      secrets: new Map(),
      files: posixFileStore(),
      access: posixAccessControl(),
      services: supervisedServices({ stateFolder: supervisorFolder, supervisorCommand }),
    },
    handlers: STEP_HANDLERS,
    programVersion: 'test',
    executable: process.execPath,
    root: folder,
    now: () => new Date(),
    onEvent: failpoint(process.env),
  };
}
