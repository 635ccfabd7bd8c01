import { dirname } from 'node:path';
import { OperatorError, planWorkflow, type Plan } from '@fenestra/kernel';
import type { WorkerLayout } from '@fenestra/platform';
import {
  changeNode,
  withScripts,
  type CarriedOut,
  type NamedFinding,
  type ScriptedChange,
  type ScriptedWork,
} from '@fenestra/session';
import type { ProgramSource } from '@fenestra/releases';
import { gatherMachine, installed, type WorkerMachine } from '../machine/gather-machine.ts';
import { chooseRuntime } from '../machine/runtime-socket.ts';
import { passPreflight, PREPARE_CHECKS } from '../preflight/worker-checks.ts';
import type { WorkerSession } from '../worker-session.ts';
import { gatherPrepareFacts } from './gather-prepare-facts.ts';
import { wantedPrograms, type ProgramWishes } from './wanted-programs.ts';
import { PREPARE } from './workflow.ts';

/** What an operator wants of a preparation. */
export interface PrepareWishes {
  readonly programs: ProgramWishes;
  readonly criSocket: string | undefined;
  readonly waived: readonly string[];
  readonly madeAt: Date;
}

/** A preparation that can be run. */
export interface PlannedPreparation {
  readonly plan: Plan;
  readonly findings: readonly NamedFinding[];
  readonly version: string;
}

/** Looks at the machine and plans what is missing. Changes nothing. */
export async function planPreparation(
  session: WorkerSession,
  wishes: PrepareWishes,
  signal: AbortSignal,
): Promise<PlannedPreparation> {
  const sources = await wantedPrograms(wishes.programs, await session.host.facts(), signal);
  return planPreparationOf(session, sources, wishes, signal);
}

/** The same for programs whose whereabouts and digests are known: they need not be there before the plan runs. */
export async function planPreparationOf(
  session: WorkerSession,
  sources: readonly ProgramSource[],
  wishes: Omit<PrepareWishes, 'programs'>,
  signal: AbortSignal,
): Promise<PlannedPreparation> {
  const machine = await gatherMachine(session, signal);
  refuseOtherVersion(machine, sources);
  const { host, record, hasIdentity: keepsIdentity } = machine;
  const findings = await passPreflight(
    session,
    {
      machine,
      sources,
      criSocket: chooseRuntime(wishes.criSocket ?? record?.cluster?.criSocket, host),
      madeAt: wishes.madeAt,
      nodeName: host.hostName.toLowerCase(),
      swapTolerated: true,
      cluster: undefined,
      keepsIdentity,
      checks: PREPARE_CHECKS,
      waived: wishes.waived,
      activity: 'prepare this machine',
    },
    signal,
  );
  const folders = preparedFolders(machine.layout);
  const facts = await gatherPrepareFacts(session, { machine, sources, folders, claimed: [] });
  return { plan: planWorkflow(PREPARE, facts), findings, version: sources[0]?.version ?? '' };
}

/** Prepares this machine for a cluster, or leaves it as it was. `onPlanned` is called before anything is changed. */
export async function prepareWorker(
  session: WorkerSession,
  wishes: PrepareWishes,
  { scripted, onPlanned }: { readonly scripted: ScriptedWork; readonly onPlanned: (made: PlannedPreparation) => void },
  signal: AbortSignal,
): Promise<CarriedOut<PlannedPreparation> & { readonly change: ScriptedChange }> {
  const makePlan = async (): Promise<PlannedPreparation> => {
    const made = await planPreparation(session, wishes, signal);
    onPlanned(made);
    return made;
  };
  const work = async () => {
    const { change, planned } = await changeNode(session, 'keadm kube prepare', makePlan, signal);
    return { ...change, planned };
  };
  const { planned, ...change } = await withScripts(scripted, work, signal);
  return { change, planned };
}

/** The folders of a worker that are there before it joins, parents first. */
export function preparedFolders(layout: WorkerLayout): readonly string[] {
  const { configFolder, pkiFolder, manifestsFolder, kubeletFolder, certificatesFolder, logFile } = layout;
  return [configFolder, pkiFolder, manifestsFolder, kubeletFolder, certificatesFolder, dirname(logFile)];
}

/** A worker that runs gets another version in good order or not at all. */
function refuseOtherVersion(machine: WorkerMachine, sources: readonly ProgramSource[]): void {
  const present = installed(machine, 'kubelet')?.version;
  const wanted = sources.find(({ name }) => name === 'kubelet')?.version;
  if (!machine.hasIdentity || present === undefined || present === wanted) return;
  throw new OperatorError(
    'NODE_CONFLICT',
    `Cannot install kubelet ${wanted}: this machine is a worker with ${present}`,
    {
      hint: `Run "keadm kube upgrade --version ${wanted}", which drains the node first and can roll back.`,
    },
  );
}
