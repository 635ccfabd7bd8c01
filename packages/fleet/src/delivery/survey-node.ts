import { OperatorError } from '@fenestra/kernel';
import { commandName } from '../far-end/command-words.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import { noRoom, unsupported } from './failures.ts';
import { type FarSystem, type Findings, SENT, type Task, VERSION_AFTER } from './far-system.ts';
import { findSystem, type Systems } from './find-system.ts';
import type { Parcel } from './parcel.ts';
import { judge, nodeState, versionAfter } from './wishes.ts';
import type { RemoteWorkerOptions } from './worker-options.ts';
import { overConnection, type DeliveryResources } from './delivery-resources.ts';

/** What has to be left on a disk besides what is sent. */
const SPARE_BYTES = 16 * 1024 * 1024;
/** More than this and certificates count as not yet, or no longer, valid. */
const CLOCK_LIMIT_SECONDS = 5 * 60;

/** What a survey needs besides the machine. */
interface SurveyTools extends Pick<RemoteWorkerOptions, 'programs' | 'carried' | 'now'> {
  readonly parcel: () => Promise<Parcel>;
}

/** Looks at a machine, and says what the command would do there and what has to be sent for it. */
async function surveyNode(systems: Systems, task: Task, tools: SurveyTools): Promise<NodeSurvey> {
  const { node, effect } = task;
  const asked = tools.now().getTime();
  const { system, shell, findings } = await findSystem(systems, task);
  const answered = tools.now().getTime();
  const { facts } = findings;
  const arch = archOf(node.name, facts.arch);
  requireRights(task, findings);
  const carried = await tools.carried(system.os, arch);
  const verdict = judge(task, facts, carried);
  const needs = verdict.action === 'change' ? await needsOf(system, findings, arch, tools) : undefined;
  requireRoom(node, needs?.bytes ?? 0, facts.freeBytes);
  const after = versionAfter(effect.goal, facts, carried);
  const ahead = Number.isNaN(facts.clock) ? 0 : Math.round(facts.clock - (asked + answered) / 2000);
  return {
    os: system.os,
    arch,
    shell,
    installedVersion: facts.version,
    state: nodeState(facts),
    action: verdict.action,
    summary: `${verdict.summary}${clockWarning(ahead)}`,
    missingBytes: needs?.bytes ?? 0,
    previewed: effect.previewed,
    clockAheadSeconds: ahead,
    notes: {
      ...findings.notes,
      ...(after === undefined ? {} : { [VERSION_AFTER]: after }),
      ...(needs === undefined ? {} : { [SENT]: needs.program }),
    },
  };
}

function archOf(node: string, arch: string): NodeSurvey['arch'] {
  if (arch === 'x64' || arch === 'arm64') return arch;
  throw unsupported(node, `there is nothing for "${arch}"`);
}

interface Needs {
  readonly program: string;
  readonly bytes: number;
}

async function needsOf(
  system: FarSystem,
  { notes }: Findings,
  arch: NodeSurvey['arch'],
  { programs, parcel }: SurveyTools,
): Promise<Needs> {
  const program = await programs(system.os, arch);
  const { bytes } = system.missing(notes, { program, parcel: await parcel() });
  return { program: program.sha256, bytes };
}

function requireRights({ node: { name, shownCommand: command }, effect }: Task, { facts }: Findings): void {
  if (facts.elevated || !effect.needsElevation || effect.root !== undefined) return;
  throw new OperatorError(
    'PRIVILEGE_REQUIRED',
    `Cannot run "keadm ${commandName(command)}" on "${name}" with this account's rights`,
    {
      hint: 'Add "become: { method: sudo }" to the node in the batch file, or log in as an administrator.',
    },
  );
}

function requireRoom({ name }: BatchNode, needed: number, free: number | undefined): void {
  if (free !== undefined && needed > 0 && needed + SPARE_BYTES > free) throw noRoom(name, needed + SPARE_BYTES, free);
}

function clockWarning(ahead: number): string {
  if (Math.abs(ahead) <= CLOCK_LIMIT_SECONDS) return '';
  return ` (its clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead' : 'behind'}: certificates will be rejected)`;
}

/** Looking at a machine, or asking it something, is a matter of moments. */
export const LOOK_SECONDS = 120;

/** Connects, finds out what answers there, and looks at it. */
export async function surveyPart(
  resources: DeliveryResources,
  node: BatchNode,
  context: WorkContext,
): Promise<NodeSurvey> {
  const { systems, options, fresh } = resources;
  const part = { node, context, activity: 'looking at it', seconds: LOOK_SECONDS };
  const tools = { ...options, parcel: async () => resources.parcel(node) };
  const survey = await overConnection(resources, part, async (task) => surveyNode(systems, task, tools));
  fresh.add(survey);
  return survey;
}
