import { existsSync } from 'node:fs';
import { pictureOf, type Tree } from '../../support/crash/tree.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';

const FOLDERS = {
  'linux-x64': ['/etc', '/usr/local', '/var/lib'],
  'windows-x64': ['C:\\etc', 'C:\\var'],
} as const;

/** keadm's own memory, which outlives every node, and what the system writes by itself. */
const LEFT_OUT = /(^|: )(lib\/)?(fenestra(\/(journal|lock|scripts)(\/.*)?)?|systemd(\/.*)?)\/?$/;
/** Folders that are there only because keadm's memory is below them. */
const ABOVE_MEMORY = /^C:\\var: (lib\/)?\/?$/;

/** Every file and folder of a machine where a command of ours may leave something. */
export async function pictureOfMachine({ node, target }: KeadmMachine): Promise<Tree> {
  const entries: [string, string][] = [];
  for (const folder of FOLDERS[target].filter((path) => existsSync(node.hostPath(path)))) {
    for (const [path, text] of Object.entries(await pictureOf(node.hostPath(folder)))) {
      entries.push([`${folder}: ${path}`, text]);
    }
  }
  return Object.fromEntries(entries.filter(([path]) => !LEFT_OUT.test(path) && !ABOVE_MEMORY.test(path)));
}
