import { dirname } from 'node:path';
import {
  blankToken,
  type ConfigChange,
  configDigest,
  type ConfigNote,
  diffConfig,
  type EdgecoreConfig,
  loadEdgecoreConfig,
  restartKeys,
} from '@fenestra/contracts';
import { digestOf } from '@fenestra/platform';
import type { NodeSession } from '@fenestra/session';
import type { Proof } from '@fenestra/steps';
import { OperatorError } from '@fenestra/kernel';
import { gatherNodeFacts, type JoinedNodeFacts, requireJoined } from '../node/node-facts.ts';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';

/** What an operator wants of the node's configuration. */
export interface ConfigurationWish {
  /** Makes the wanted text from the present one. */
  readonly make: (present: string) => string;
  /** What problems in the wanted text call its file. */
  readonly fileName: string;
  /** Whether the node may become another one, or one of another cloud. */
  readonly allowIdentityChange: boolean;
  /** How long the agent may take to prove that it works. */
  readonly limitSeconds: number;
  /** How long it has to work before that counts. */
  readonly settleSeconds: number;
}

/** What the plan of a change of configuration is made from. */
export interface ReconfigureFacts {
  readonly node: JoinedNodeFacts;
  readonly layout: NodeSession['layout'];
  readonly root: string | undefined;
  /** The program that runs this command. */
  readonly keadm: { readonly path: string; readonly sha256: string };
  /** Digests of the file that is there and of the one that is wanted. */
  readonly presentSha256: string;
  readonly wantedSha256: string;
  /** Whether the file has to be written. */
  readonly writes: boolean;
  readonly changes: readonly ConfigChange[];
  readonly restartKeys: readonly string[];
  /** What the changed settings ask for without success. */
  readonly notes: readonly ConfigNote[];
  /** How the agent gets to know: not at all where what is wanted is in effect. */
  readonly way: 'reload' | 'restart' | 'none';
  readonly proof: Proof;
}

/** The facts, and the wanted text, which is secret and no part of them. */
export interface Gathered {
  readonly facts: ReconfigureFacts;
  readonly text: string;
}

/** Looks at the machine, checks what is wanted, and changes nothing. */
export async function gatherReconfigureFacts(session: NodeSession, wish: ConfigurationWish): Promise<Gathered> {
  const { layout, root, executable } = session;
  const node = requireJoined(await gatherNodeFacts(session));
  const text = wish.make(node.configText);
  const { os, hostName } = node.host;
  const { config, notes } = loadEdgecoreConfig(text, wish.fileName, os, { hostName, cloudAddress: '127.0.0.1' });
  if (!wish.allowIdentityChange) refuseOtherIdentity(node.config, config);
  const writes = !isSameText(node.configText, text, config);
  const changes = node.config === undefined ? [] : diffConfig(node.config, config);
  const restarts = node.config === undefined ? [] : restartKeys(node.config, config);
  const facts: ReconfigureFacts = {
    node,
    layout,
    root,
    keadm: { path: executable, sha256: await digestOf(executable) },
    presentSha256: configDigest(node.configText),
    wantedSha256: configDigest(text),
    writes,
    changes,
    restartKeys: restarts,
    notes: notes.filter((note) => changes.some((change) => concerns(note, change))),
    way: wayFor(node, { writes, restarts: restarts.length > 0 }, configDigest(text)),
    proof: proofOf({ node, changes }, layout, config, wish),
  };
  return { facts, text };
}

/** What was said about other settings when they were made is no news. */
function concerns(note: ConfigNote, change: ConfigChange): boolean {
  return change.path === note.path || change.path.startsWith(`${note.path}.`);
}

/** A file whose token the agent has used and blanked since is the wanted one all the same. */
function isSameText(present: string, wanted: string, config: EdgecoreConfig): boolean {
  return present === wanted || present === blankToken(wanted, config.modules.edgeHub.token.trim());
}

/** How the agent learns of the file: one that does not run, or does not say what is in effect, has to be started. */
export function wayFor(
  { agent, service, configText }: Pick<JoinedNodeFacts, 'agent' | 'service' | 'configText'>,
  change: { readonly writes: boolean; readonly restarts: boolean },
  wantedSha256: string,
): ReconfigureFacts['way'] {
  const inEffect = agent?.configSha256;
  if (!change.writes) {
    const isKnown = inEffect === undefined || [wantedSha256, configDigest(configText)].includes(inEffect);
    return isKnown ? 'none' : 'reload';
  }
  return service.state === 'running' && inEffect !== undefined && !change.restarts ? 'reload' : 'restart';
}

function proofOf(
  { node: { agent, agentKind }, changes }: Pick<ReconfigureFacts, 'node' | 'changes'>,
  layout: NodeSession['layout'],
  { database }: EdgecoreConfig,
  { limitSeconds, settleSeconds }: ConfigurationWish,
): Proof {
  return {
    service: AGENT_SERVICE,
    stateFolder: dirname(database.dataSource),
    logFile: layout.agentLogFile,
    agent: agentKind,
    wants: goalOf(agent, changes),
    limitSeconds,
    settleSeconds,
  };
}

/** A node that its cloud does not answer can be changed all the same, unless the change is about how to reach the cloud. */
function goalOf(agent: JoinedNodeFacts['agent'], changes: readonly ConfigChange[]): Proof['wants'] {
  if (agent?.node?.ready === 'True') return 'ready';
  const isCutOff = agent?.connected === false && !changes.some(({ path }) => path.startsWith('modules.edgeHub'));
  return isCutOff ? 'running' : 'connected';
}

/** What the connection to the cloud hangs on. */
const CONNECTION = 'modules.edgeHub.';
/** Of that, what a living connection takes up without being made again. */
const HARMLESS: readonly string[] = ['heartbeat', 'messageQPS', 'messageBurst', 'rotateCertificates', 'token'];

/** Whether the node could be left without its agent or its cloud if this command died on the way. */
export function needsGuard({ way, changes }: ReconfigureFacts): boolean {
  if (way !== 'reload') return way === 'restart';
  const touched = changes.map(({ path }) => path).filter((path) => path.startsWith(CONNECTION));
  return touched.some((path) => !HARMLESS.includes(path.slice(CONNECTION.length)));
}

/** Which node this is, and whose: its certificate, its Node object and its data belong to these. */
const IDENTITY_KEYS: readonly string[] = [
  'modules.edged.hostnameOverride',
  'modules.edgeHub.httpServer',
  'modules.edgeHub.websocket.server',
];

/** Throws `NODE_CONFLICT` if the node would become another one, or one of another cloud. */
export function refuseOtherIdentity(present: EdgecoreConfig | undefined, wanted: EdgecoreConfig): void {
  if (present === undefined) return;
  const changed = diffConfig(present, wanted).filter(({ path }) => IDENTITY_KEYS.includes(path));
  if (changed.length === 0) return;
  const list = changed
    .map(({ path, before, after }) => `"${path}" from "${String(before)}" to "${String(after)}"`)
    .join(', ');
  throw new OperatorError('NODE_CONFLICT', `Cannot change ${list}: that would change the identity of the node`, {
    hint: 'Use "keadm reset" and "keadm join" to change it. If it is the same cloud at a new address, add "--allow-identity-change".',
    details: Object.fromEntries(changed.map(({ path, after }) => [path, String(after)])),
  });
}
