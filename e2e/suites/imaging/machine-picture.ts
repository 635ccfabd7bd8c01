import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';

/** Where an image's parts go. */
const FOLDERS = [
  'C:\\etc',
  'C:\\k',
  'C:\\opt',
  'C:\\run',
  'C:\\var\\lib',
  'C:\\Program Files',
  'C:\\ProgramData',
  'C:\\windows\\Setup',
];
/** What every run of keadm writes: its own account of itself. */
const OWN_ACCOUNT = /fenestra\/(journal|lock)/;
const KEYS = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  'HKLM\\SYSTEM\\CurrentControlSet\\Services\\hns',
  'HKLM\\SYSTEM\\CurrentControlSet\\Services\\containerd',
  'HKLM\\SYSTEM\\CurrentControlSet\\Services\\kubelet',
  'HKLM\\SYSTEM\\CurrentControlSet\\Services\\cloudbase-init',
  'HKLM\\SYSTEM\\CurrentControlSet\\Policies',
  'HKLM\\SOFTWARE\\Policies',
];

/** The files and settings of a machine that an image is made of, to compare before and after. */
export async function machinePicture(machine: KeadmMachine): Promise<Readonly<Record<string, string>>> {
  const picture: Record<string, string> = {};
  for (const folder of FOLDERS) await addFiles(machine.node.hostPath(folder), folder, picture);
  for (const key of KEYS) picture[key] = (await machine.node.run('reg', ['query', key, '/s'])).stdout;
  return picture;
}

async function addFiles(folder: string, name: string, picture: Record<string, string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const [path, shown] = [join(folder, entry.name), `${name}/${entry.name}`];
    if (OWN_ACCOUNT.test(shown)) continue;
    if (entry.isDirectory()) await addFiles(path, shown, picture);
    else if (entry.isFile())
      picture[shown] = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
  }
}
