import type { NodeLayout } from '@fenestra/platform';

/** The layout of a Linux machine, for plans that no one carries out. */
export const testLayout: NodeLayout = {
  configFolder: '/etc/kubeedge',
  agentConfigFile: '/etc/kubeedge/config/edgecore.yaml',
  tokenFile: '/etc/kubeedge/bootstrap-edgecore.conf',
  versionFile: '/etc/kubeedge/version.txt',
  backupsFolder: '/etc/kubeedge/backups',
  stateFolder: '/var/lib/kubeedge',
  agentLogFile: '/var/lib/kubeedge/log/edgecore.log',
  programFolder: '/usr/local/bin',
  agentExecutable: '/usr/local/bin/edgecore',
  cloudExecutable: '/usr/local/bin/cloudcore',
  cloudFolder: '/var/lib/kubeedge/cloud',
  bookkeepingFolder: '/var/lib/fenestra',
  journalFolder: '/var/lib/fenestra/journal',
  downloadsFolder: '/var/lib/fenestra/downloads',
  guardExecutable: '/var/lib/fenestra/guard/keadm',
  lockFolder: '/var/lib/fenestra/lock',
  supervisorFolder: '/var/lib/fenestra/supervisor',
};
