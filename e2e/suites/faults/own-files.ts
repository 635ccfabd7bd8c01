import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KeadmMachine, pathOn } from '../../support/machines/keadm-machine.ts';

/** A folder as people name theirs. */
const ODD_FOLDER = 'Süß ordner';

/** A path in the administrator's own folder with the odd name. */
export function oddPath(machine: KeadmMachine, ...names: readonly string[]): string {
  return pathOn(machine, machine.paths.ownFolder, ODD_FOLDER, ...names);
}

/** Writes a private file of the administrator's in the folder with the odd name, and returns its path there. */
export async function writeOwn(machine: KeadmMachine, name: string, text: string): Promise<string> {
  const path = oddPath(machine, name);
  const file = machine.node.hostPath(path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
  return path;
}

/** What a script does on each system. */
export interface ScriptTexts {
  readonly shell: string;
  readonly batch: string;
}

/** Writes a script for the machine's own system, a blank in its name, and returns its path there. */
export async function writeScript(machine: KeadmMachine, name: string, { shell, batch }: ScriptTexts): Promise<string> {
  if (machine.target === 'windows-x64') return writeOwn(machine, `${name} ü.cmd`, `@echo off\r\n${batch}\r\n`);
  return writeOwn(machine, `${name} ü.sh`, `#!/bin/sh\n${shell}\n`);
}
