import { basename } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { NodeLayout, ServiceManager, ServiceSpec } from '@fenestra/platform';
import type { Kept, JudgedFolder } from '@fenestra/steps';
import type { NodeSession } from '@fenestra/session';
import { isAgentName, isSamePath } from '../node/foreign-service.ts';
import { agentPrograms } from './node-folders.ts';

/** A service of the agent's name that runs something else is someone else's, and so may be all the rest. */
export function refuseForeign(
  spec: ServiceSpec | undefined,
  { agentExecutable }: Pick<NodeLayout, 'agentExecutable'>,
  services: Pick<ServiceManager, 'commandLine'>,
): void {
  if (spec === undefined || isAgentName(spec.executable)) return;
  if (basename(spec.executable) === basename(agentExecutable)) return;
  throw new OperatorError('SERVICE_CONFLICT', `Cannot reset the service "${spec.name}": it runs "${spec.executable}"`, {
    hint: `Find out what installed it, and remove it first; ${services.commandLine('status', spec.name)} shows it.`,
  });
}

/** The agent's program where it stays: in a place that join never uses, or because it is the one that runs right now. */
export function keptProgram(
  spec: ServiceSpec | undefined,
  { layout, executable }: Pick<NodeSession, 'layout' | 'executable'>,
  root: string,
): readonly Kept[] {
  const programs = agentPrograms(layout, root);
  const running = programs.filter((program) => isSamePath(program, executable));
  const elsewhere =
    spec === undefined || programs.some((program) => isSamePath(program, spec.executable)) ? [] : [spec];
  return [
    ...running.map((path) => ({ path, why: 'this program runs the reset' })),
    ...elsewhere.map(({ executable: path }) => ({ path, why: 'join does not install programs there' })),
  ];
}

/** What stays of the node's folders, in the words of a report. */
export function keptIn(folders: readonly JudgedFolder[], layout: NodeLayout): readonly Kept[] {
  return folders.flatMap(({ strangers, mounted }) => [
    ...strangers.map((path) => ({ path, why: whyStranger(path, layout) })),
    ...mounted.map((path) => ({ path, why: 'something is mounted in it; unmount that, then run "keadm reset" again' })),
  ]);
}

function whyStranger(path: string, { cloudFolder, backupsFolder }: NodeLayout): string {
  if (path === cloudFolder || basename(path).startsWith('cloudcore')) return 'it belongs to the cloud on this machine';
  if (path === backupsFolder || basename(path) === 'backup') return 'backups are kept, as requested';
  return 'it was not made for the node';
}
