import {
  type ImageConfig,
  AFTER_ROLE,
  BEFORE_ROLE,
  freshFacts,
  gatherProvisionFacts,
  programSources,
  type ProvisionFacts,
} from '@fenestra/imaging';
import { planWorkflow, type Plan } from '@fenestra/kernel';
import { kubeletService } from '@fenestra/worker/kubelet';
import { planFreshPreparation, planPreparationOf, PREPARE_CHECKS } from '@fenestra/worker';
import type { KeadmEnvironment } from '../../platform.ts';
import { waivedBy } from '../check-options.ts';
import { makerOf, type MachineSession } from './open-image-session.ts';

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
