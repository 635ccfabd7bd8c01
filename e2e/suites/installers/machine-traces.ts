import { readdir } from 'node:fs/promises';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';

const FOLDERS = {
  'linux-x64': ['/etc/kubeedge', '/usr/bin', '/usr/share/doc', '/usr/local', '/var/lib', '/etc/systemd'],
  'windows-x64': ['C:\\etc', 'C:\\var', 'C:\\Program Files', 'C:\\ProgramData', 'C:\\windows\\temp'],
} as const;

const KEYS = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  'HKLM\\SYSTEM\\CurrentControlSet\\Services',
  'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall',
];

/** What systems write by themselves all the time. */
const NOT_OURS = /^\/var\/lib\/(dpkg|systemd|apt|private|dbus)|^C:\\windows\\temp\/(?!fenestra)/;

/** Where an installation leaves traces: files by name, and in the registry what is not a random name. */
export async function tracesOn({ node, target }: KeadmMachine): Promise<readonly string[]> {
  const traces: string[] = [];
  for (const folder of FOLDERS[target]) {
    const names = await readdir(node.hostPath(folder), { recursive: true }).catch(() => undefined);
    if (names !== undefined) traces.push(folder, ...names.map((name) => `${folder}/${name}`));
  }
  if (target === 'windows-x64') {
    for (const key of KEYS) {
      const { stdout } = await node.run('reg', ['query', key, '/s']);
      traces.push(...stdout.split(/\r?\n/).filter((line) => /fenestra|edgecore|keadm|HKEY|\bpath\b/i.test(line)));
    }
  }
  return traces.filter((trace) => !NOT_OURS.test(trace)).toSorted();
}
