import {
  type ImageConfig,
  AFTER_ROLE,
  BEFORE_ROLE,
  freshFacts,
  gatherProvisionFacts,
  programSources,
  type ProvisionFacts,
  type ImageMaker,
  type ImageSession,
} from '@fenestra/imaging';
import { planWorkflow, type Plan, OperatorError } from '@fenestra/kernel';
import { kubeletService } from '@fenestra/worker/kubelet';
import { planFreshPreparation, planPreparationOf, PREPARE_CHECKS, type WorkerSession } from '@fenestra/worker';
import type { WorkerHostFacts } from '@fenestra/platform';
import type { KeadmEnvironment } from '../../platform.ts';
import { waivedBy } from '../check-options.ts';
import { openWorkerSession } from '../kube/open-worker-session.ts';

/** What is only there once the image is made and has been started again. */
const NOT_YET = ['container-runtime', 'features', 'network-service'];
/** Images for other processors are not made. */
const TARGET = { os: 'windows', arch: 'x64' } as const;
/** The program that makes an image, where there is no image yet. */
const FRESH_PROGRAM = 'keadm.exe';

/** Plans what this machine lacks to be the wanted image. Changes nothing. */
export async function planImage(
  environment: KeadmEnvironment,
  session: MachineSession,
  { config, skipped }: { readonly config: ImageConfig; readonly skipped: readonly string[] },
): Promise<Plan> {
  const facts = await gatherProvisionFacts(session, config, makerOf(environment));
  const flags = { skipCheck: [...skipped, ...NOT_YET], ignorePreflightErrors: [] };
  const wishes = {
    criSocket: undefined,
    waived: waivedBy(flags, PREPARE_CHECKS),
    madeAt: new Date(environment.commitTime),
  };
  if (config.role === 'edge') return around(facts, []);
  const sources = programSources(config, facts.layout, TARGET);
  const { plan } = await planPreparationOf(session, sources, wishes, environment.signal);
  return around(facts, plan);
}

/** Plans the same for a Windows machine that is not there yet. */
export async function planFreshImage(environment: KeadmEnvironment, config: ImageConfig): Promise<Plan> {
  const { windows } = await environment.loadPlatform(undefined);
  const { layout: node, workerLayout: worker } = windows;
  const facts = freshFacts({ config, node, worker, maker: makerOf(environment), executable: FRESH_PROGRAM });
  if (config.role === 'edge') return around(facts, []);
  const sources = programSources(config, facts.layout, TARGET);
  const spec = kubeletService({ layout: worker, facts: FRESH_WINDOWS, root: undefined });
  return around(facts, planFreshPreparation({ layout: worker, node, sources, spec, executable: FRESH_PROGRAM }));
}

const FRESH_WINDOWS = {
  os: 'windows',
  systemDrive: 'C:',
  build: 0,
  containersFeature: undefined,
  networkService: 'absent',
  containerdService: 'stopped',
  programDrive: 'C:',
} as const;

/** A worker's own parts come when containerd is there, and before cloudbase-init, which makes use of them. */
function around(facts: ProvisionFacts, role: Plan): Plan {
  return [
    ...planWorkflow(BEFORE_ROLE, facts),
    ...withoutTidying(role),
    ...planWorkflow(AFTER_ROLE, facts),
    ...tidying(role),
  ];
}

/** From the first deletion on nothing can be undone, so that all of them come last. */
function withoutTidying(plan: Plan): Plan {
  return plan.filter((phase) => !isTidying(phase));
}

function tidying(plan: Plan): Plan {
  return plan.filter(isTidying);
}

function isTidying({ steps }: Plan[number]): boolean {
  return steps.some(({ pointOfNoReturn }) => pointOfNoReturn === true);
}

/** The machine that becomes an image, which may become a worker. */
export type MachineSession = ImageSession & WorkerSession;

/** Makes ready to make this machine an image. Images are made of Windows alone. */
export async function openImageSession(environment: KeadmEnvironment, action: string): Promise<MachineSession> {
  const { host, setup, workerFacts } = await environment.loadPlatform(undefined);
  if (setup === undefined) throw notWindows(action);
  await host.requireElevation(`keadm image ${action}`);
  const session = await openWorkerSession(environment, undefined, 'prepare');
  return {
    ...session,
    ports: { ...session.ports, setup },
    workerFacts: async () => withContainerd(await workerFacts()),
  };
}

/** An image always gets containerd: what depends on it depends on it before it is there, too. */
function withContainerd(facts: WorkerHostFacts): WorkerHostFacts {
  if (facts.os !== 'windows' || facts.containerdService !== 'absent') return facts;
  return { ...facts, containerdService: 'stopped' };
}

/** Who makes images here. */
export function makerOf({ version, commit, now }: KeadmEnvironment): ImageMaker {
  return { version, commit, now: now() };
}

function notWindows(action: string): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot ${action} an image here: this machine does not run Windows`, {
    hint: 'Run it on the Windows machine that becomes the image; "keadm image plan" works on every system.',
  });
}
