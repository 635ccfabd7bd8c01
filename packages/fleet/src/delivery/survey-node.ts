import { OperatorError } from '@fenestra/kernel';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { NodeSurvey } from '../run/node-worker.ts';
import type { FarSystem, Findings, Goods, Task } from './far-system.ts';
import { findSystem, type Systems } from './find-system.ts';
import { noRoom, unsupported } from './failures.ts';
import type { Parcel } from './parcel.ts';
import { judge, needsRights, nodeState, rootOf } from './wishes.ts';
import type { RemoteWorkerOptions } from './worker-options.ts';

/** What has to be left on a disk besides what is sent. */
const SPARE_BYTES = 16 * 1024 * 1024;
/** More than this and certificates count as not yet, or no longer, valid. */
const CLOCK_LIMIT_SECONDS = 5 * 60;

/**
 * The note with the digest of the program that goes to the node. A run that another keadm goes on with finds the command
 * by it that is at work there, and talks to it through the program that started it.
 */
export const SENT = 'sent';

/** What a survey needs besides the machine. */
export interface SurveyTools {
  readonly programs: RemoteWorkerOptions['programs'];
  readonly now: () => Date;
  readonly parcel: Parcel;
}

/** Looks at a machine, and says what the command would do there and what has to be sent for it. */
export async function surveyNode(systems: Systems, task: Task, tools: SurveyTools): Promise<NodeSurvey> {
  const { node } = task;
  const asked = tools.now().getTime();
  const { system, shell, findings } = await findSystem(systems, task);
  const answered = tools.now().getTime();
  const { facts, notes } = findings;
  const arch = archOf(node.name, facts.arch);
  requireRights(node, findings);
  const program = await tools.programs(system.os, arch);
  const verdict = judge(node, facts, program.version);
  const missing = bytesMissing(system, findings, { program, parcel: tools.parcel });
  if (verdict.action === 'change') requireRoom(node, missing, facts.freeBytes);
  const ahead = Number.isNaN(facts.clock) ? 0 : Math.round(facts.clock - (asked + answered) / 2000);
  return {
    os: system.os,
    arch,
    shell,
    installedVersion: facts.version,
    state: nodeState(facts),
    action: verdict.action,
    summary: `${verdict.summary}${clockWarning(ahead)}`,
    missingBytes: verdict.action === 'change' ? missing : 0,
    clockAheadSeconds: ahead,
    notes: { ...notes, [SENT]: program.sha256 },
  };
}

function archOf(node: string, arch: string): NodeSurvey['arch'] {
  if (arch === 'x64' || arch === 'arm64') return arch;
  throw unsupported(node, `there is nothing for "${arch}"`);
}

function bytesMissing(system: FarSystem, { notes }: Findings, goods: Goods): number {
  return system.missing(notes, goods).bytes;
}

function requireRights({ name, shownCommand: command }: BatchNode, { facts }: Findings): void {
  if (facts.elevated || !needsRights(command) || rootOf(command) !== undefined) return;
  throw new OperatorError(
    'PRIVILEGE_REQUIRED',
    `Cannot run "keadm ${command[0] ?? ''}" on "${name}" with this account's rights`,
    {
      hint: 'Add "become: { method: sudo }" to the node in the file, or log in as an administrator.',
    },
  );
}

function requireRoom({ name }: BatchNode, needed: number, free: number | undefined): void {
  if (free !== undefined && needed > 0 && needed + SPARE_BYTES > free) throw noRoom(name, needed + SPARE_BYTES, free);
}

function clockWarning(ahead: number): string {
  if (Math.abs(ahead) <= CLOCK_LIMIT_SECONDS) return '';
  return ` (its clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead' : 'behind'}: certificates will not be believed)`;
}
