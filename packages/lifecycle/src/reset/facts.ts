import { parse } from 'node:path';
import type { EdgecoreConfig } from '@fenestra/contracts';
import { type NodeLayout, type ServiceStatus, pathExists } from '@fenestra/platform';
import { GUARD_SERVICE, type NodeSession } from '@fenestra/session';
import { judgeFolders, listFolders, type JudgedFolder, type Kept, type NamedNode } from '@fenestra/steps';
import { certificatePaths } from '../node/node-files.ts';
import { gatherNodeFacts, type NodeFacts } from '../node/node-facts.ts';
import { keptProgram, refuseForeign, keptIn } from './kept.ts';
import { askCloud, askRuntime, askSharedRuntime, type CloudAnswer, type RuntimeAnswer } from './ask.ts';
import { findKubelet } from './kubelet-folder.ts';
import { nodeFolders } from './node-folders.ts';

/** What an operator wants of a reset. */
export interface ResetWishes {
  /** Whether earlier work that can be neither finished nor undone is given up. */
  readonly force: boolean;
  /** Names the cloud that the node leaves. */
  readonly kubeconfig: string | undefined;
  readonly drain: boolean;
  readonly drainLimitSeconds: number;
  /** What no pod exceeds to end, whatever grace period it asks for. */
  readonly podGraceSeconds: number;
  readonly keepBackups: boolean;
  /** Where the container runtime is, if not where the configuration says. */
  readonly runtimeEndpoint: string | undefined;
}

/** What the plan of a reset is made from. */
export interface ResetFacts {
  readonly wishes: ResetWishes;
  readonly layout: NodeLayout;
  /** Whether there is a node, be it half of one: a service for its agent, or a configuration. */
  readonly joined: boolean;
  /** The host's name where nothing tells the node's. */
  readonly nodeName: string;
  readonly nameKnown: boolean;
  /** By which the cloud knows the node; undefined without a configuration or a certificate. */
  readonly identity: Omit<NamedNode, 'nodeName'> | undefined;
  readonly service: ServiceStatus;
  readonly cloud: CloudAnswer;
  readonly runtime: RuntimeAnswer;
  /** Whether a guard, or the program of one, was left behind. */
  readonly guardLeft: boolean;
  /** Where volumes of this node's pods are mounted, the deepest first. */
  readonly volumes: readonly string[];
  readonly folders: readonly JudgedFolder[];
  readonly kept: readonly Kept[];
}

/** Looks at the machine, and at the cloud where one was named, and changes nothing. */
export async function gatherResetFacts(
  session: NodeSession,
  wishes: ResetWishes,
  signal: AbortSignal,
): Promise<ResetFacts> {
  const { layout, ports } = session;
  const node = await gatherNodeFacts(session, { asksProgram: false });
  refuseForeign(node.spec, layout, ports.services);
  const joined = node.spec !== undefined || node.configText !== undefined;
  const nodeName = node.nodeName ?? node.host.hostName.toLowerCase();
  const nameKnown = node.nodeName !== undefined;
  const kubelet = await findKubelet(ports.services, node, rootOf(session));
  const folders = await judgeMachine(session, wishes, node.config, kubelet);
  return {
    wishes,
    layout,
    joined,
    nodeName,
    nameKnown,
    identity: await identityOf(node.config),
    service: node.service,
    cloud: nameKnown ? await askCloud(ports, wishes, nodeName, signal) : { state: 'not-asked' },
    runtime: joined ? await askRuntimeOf(session, wishes, node, signal) : {},
    guardLeft: await isGuardLeft(session),
    volumes: kubelet.volumes,
    folders,
    kept: [...keptIn(folders, layout), ...keptProgram(node.spec, session, rootOf(session)), ...kubelet.kept],
  };
}

async function askRuntimeOf(
  { root }: NodeSession,
  wishes: ResetWishes,
  node: NodeFacts,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  return root === undefined ? askRuntime(wishes, node, signal) : askSharedRuntime(wishes, node, signal);
}

/** The folder that is the whole machine for this node. */
function rootOf({ root, layout }: NodeSession): string {
  return root ?? parse(layout.configFolder).root;
}

async function judgeMachine(
  session: NodeSession,
  { keepBackups }: ResetWishes,
  config: EdgecoreConfig | undefined,
  kubelet: { readonly folder: string | undefined; readonly volumes: readonly string[] },
): Promise<readonly JudgedFolder[]> {
  const { layout, executable } = session;
  const root = rootOf(session);
  const folders = nodeFolders({ layout, root, config, keepBackups, kubeletFolder: kubelet.folder, executable });
  const listings = await listFolders(folders.map(({ path }) => path));
  const unmounted = listings.map((listing) => ({
    ...listing,
    mountPoints: listing.mountPoints.filter((point) => !kubelet.volumes.includes(point)),
  }));
  return judgeFolders(folders, unmounted);
}

async function identityOf(config: EdgecoreConfig | undefined): Promise<ResetFacts['identity']> {
  if (config === undefined) return undefined;
  const paths = certificatePaths(config);
  if (!(await pathExists(paths.certificateFile))) return undefined;
  return { cloud: config.modules.edgeHub.httpServer, ...paths };
}

async function isGuardLeft({ layout, ports }: NodeSession): Promise<boolean> {
  const { state } = await ports.services.status(GUARD_SERVICE);
  return state !== 'absent' || pathExists(layout.guardExecutable);
}
