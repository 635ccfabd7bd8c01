import { readFile } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';
import { type HostFacts, pathExists } from '@fenestra/platform';
import { failedBy, type Finding, pass, skip, warn } from '@fenestra/session';
import type { EdgecoreConfig } from '@fenestra/contracts';
import { cloudOf, endpointText } from '../join/cloud-address.ts';
import { askForNode, knockAt } from '../join/preflight/ask-cloud.ts';
import { orProblem } from '../join/preflight/cloud-facts.ts';
import { certificatePaths } from '../node/node-files.ts';
import { certifiedName } from '../node/certified-name.ts';
import { findCertificate, type FoundCertificate } from './certificate.ts';
import { type ExaminedMachine, gatherMachineFacts, type MachineFacts, presentConfig } from './facts.ts';

/** What the checks of a node need, besides what those of the machine do. */
interface NodeState {
  /** The node's name, or the one it would get. */
  readonly nodeName: string;
  readonly nameInCloud?: Finding;
  /** `undefined` on a machine that is not a node. */
  readonly cloud: Finding | undefined;
  readonly certificate: FoundCertificate | undefined;
}

/** Everything the checks of `keadm doctor` judge by. */
export interface CheckFacts extends MachineFacts, NodeState {}

/** Looks at the machine and the node on it, and asks its cloud. Changes nothing. */
export async function gatherCheckFacts(
  machine: ExaminedMachine,
  madeAt: Date,
  signal: AbortSignal,
): Promise<CheckFacts> {
  const facts = await gatherMachineFacts(machine, madeAt);
  const config = await presentConfig(machine.layout, facts.host);
  return { ...facts, ...(await nodeState(facts.host, { isNode: await isNode(machine, facts), config }, signal)) };
}

/** A configuration that cannot be looked at for lack of rights counts as one. */
async function isNode({ layout }: ExaminedMachine, { agent }: MachineFacts): Promise<boolean> {
  return agent.state !== 'absent' && pathExists(layout.agentConfigFile).catch(() => true);
}

async function nodeState(
  host: HostFacts,
  { isNode: joined, config }: { readonly isNode: boolean; readonly config: EdgecoreConfig | undefined },
  signal: AbortSignal,
): Promise<NodeState> {
  const hostName = host.hostName.toLowerCase();
  if (!joined) return { nodeName: hostName, cloud: undefined, certificate: undefined };
  if (config === undefined) {
    const unknown = skip(
      'The configuration of the node cannot be read or used',
      'Run "keadm doctor" as an administrator, and correct the errors of "keadm config validate".',
    );
    return { nodeName: hostName, nameInCloud: unknown, cloud: unknown, certificate: undefined };
  }
  const paths = certificatePaths(config);
  const configured = config.modules.edged.hostnameOverride;
  const certified = await certifiedName(paths.certificateFile).catch(() => undefined);
  return {
    nodeName: certified ?? configured,
    nameInCloud: judgeName(configured, certified),
    cloud: await askNodeCloud(config, { caFile: paths.caFile, nodeName: certified ?? configured }, signal),
    certificate: await findCertificate(paths),
  };
}

/** The certificate decides: the cloud knows the node by the name in it. */
function judgeName(configured: string, certified: string | undefined): Finding {
  if (certified === undefined || certified === configured) return pass(`This machine is the node "${configured}"`);
  return warn(
    `The certificate is for the node "${certified}", but the configuration names it "${configured}"`,
    `Run "keadm config set modules.edged.hostnameOverride=${certified}", or reset the node and join it as "${configured}".`,
  );
}

/** Whether both ports answer, and whether the certificate server is that of the cloud that the node joined. */
async function askNodeCloud(
  config: EdgecoreConfig,
  { caFile, nodeName }: { readonly caFile: string; readonly nodeName: string },
  signal: AbortSignal,
): Promise<Finding> {
  const { hub, certificates } = cloudOf(config);
  const ca = await readFile(caFile, 'utf8').catch(() => undefined);
  const answers = await Promise.all([
    orProblem(knockAt(hub, signal), signal),
    orProblem<unknown>(
      ca === undefined ? knockAt(certificates, signal) : askForNode(certificates, { ca, nodeName }, signal),
      signal,
    ),
  ]);
  const problem = answers.find((answer) => answer instanceof OperatorError);
  return problem === undefined ? pass(`The cloud at "${endpointText(hub)}" answers`) : failedBy(problem);
}
