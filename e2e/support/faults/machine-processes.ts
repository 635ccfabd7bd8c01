import { readlinkSync } from 'node:fs';
import { processesInNamespace, programOf } from '../beds/process-tree.ts';
import type { KeadmMachine } from '../machines/keadm-machine.ts';

/** A process of this system that the machine is in: its container's first, or the keeper of its namespaces. */
export function processOf({ node, paths }: KeadmMachine): number {
  const pid = /^\/proc\/(\d+)\/root/.exec(node.hostPath(paths.ownFolder))?.[1];
  if (pid === undefined) throw new Error('The machine has no processes');
  return Number(pid);
}

/** Every process on the machine, by the numbers they have on this system. */
export function processesOn(machine: KeadmMachine): readonly number[] {
  return processesInNamespace(readlinkSync(`/proc/${processOf(machine)}/ns/pid_for_children`));
}

/** The names of the programs that run on the machine. */
export function programsOn(machine: KeadmMachine): readonly string[] {
  return processesOn(machine).map(programOf);
}
