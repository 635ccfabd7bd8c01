import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  invalidBackup,
  relocateConfiguration,
  type BackupManifest,
  type FolderMove,
  inspectBackup,
  type InspectedBackup,
  PASSPHRASE,
} from '@fenestra/steps';
import { loadEdgecoreConfig, type EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { type NodeLayout, type ServiceSpec, digestOf, missingPaths } from '@fenestra/platform';
import type { NodeSession } from '@fenestra/session';
import { footprintOf, type Footprint } from '../node/node-files.ts';
import { refuseForeignRegistration } from '../node/foreign-service.ts';
import { gatherNodeFacts, type NodeFacts } from '../node/node-facts.ts';
import { chosenRecovery, joinedAgentService } from '../service-program/agent-service.ts';
import { chooseArchive } from './choose-archive.ts';
import { lookAtPlace, placesOf, type RestoredFile } from './restored-files.ts';

/** What an operator wants of a restore. */
export interface RestoreWishes {
  /** An archive, or a folder that has some. */
  readonly place: string;
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}

/** What the plan of a restore is made from. */
export interface RestoreFacts {
  readonly wishes: RestoreWishes;
  readonly archive: { readonly path: string; readonly sha256: string };
  readonly manifest: BackupManifest;
  readonly moves: readonly FolderMove[];
  readonly config: EdgecoreConfig;
  readonly node: NodeFacts;
  readonly files: readonly RestoredFile[];
  readonly footprint: Footprint;
  readonly missingFolders: readonly string[];
  readonly spec: ServiceSpec;
  readonly registeredAsWanted: boolean;
  readonly layout: NodeLayout;
  readonly root: string | undefined;
  /** The program that runs this command. */
  readonly keadm: { readonly path: string; readonly sha256: string };
}

/** Looks at the machine and reads the whole archive, and changes nothing. */
export async function gatherRestoreFacts(session: NodeSession, wishes: RestoreWishes): Promise<RestoreFacts> {
  const { layout, root, executable } = session;
  const node = await gatherNodeFacts(session);
  if (node.foreignService !== undefined) throw node.foreignService;
  const { path, inspected } = await openArchive(session, wishes, node);
  const { manifest, sha256 } = inspected;
  const moves = movesTo(layout, manifest);
  const wanted = relocateConfiguration(inspected.configuration, moves);
  const { config } = loadEdgecoreConfig(wanted, layout.agentConfigFile, manifest.os);
  const configuration = { wanted, present: node.configText, nodeName: manifest.nodeName };
  const places = placesOf(manifest.files, layout, config);
  const spec = specFrom(manifest, layout);
  refuseForeignRegistration(node.spec, spec, session.ports.services);
  return {
    wishes,
    archive: { path, sha256 },
    manifest,
    moves,
    config,
    node,
    files: await Promise.all(places.map(async (place) => lookAtPlace(place, configuration))),
    footprint: footprintOf(layout, config),
    missingFolders: await missingPaths([...new Set(places.map(({ to }) => dirname(to)))]),
    spec,
    registeredAsWanted: isRegistered(node.spec, spec),
    layout,
    root,
    keadm: { path: executable, sha256: await digestOf(executable) },
  };
}

/** Where the archive is unpacked, and what it replaces is kept until the node works. */
export function stagingFolder({ layout }: Pick<RestoreFacts, 'layout'>): string {
  return join(layout.bookkeepingFolder, 'restore');
}

/** What is to be put in place. */
export function changedFiles({ files }: Pick<RestoreFacts, 'files'>): readonly RestoredFile[] {
  return files.filter(({ inPlace }) => !inPlace);
}

/** Whether the agent has to be stopped for it. */
export function changesNode(facts: RestoreFacts): boolean {
  return changedFiles(facts).length > 0 || !facts.registeredAsWanted;
}

/** Whether the agent is started, and has to prove itself. */
export function startsAgent(facts: RestoreFacts): boolean {
  return changesNode(facts) || facts.node.service.state !== 'running';
}

async function openArchive(
  { ports, layout }: NodeSession,
  { place }: RestoreWishes,
  node: NodeFacts,
): Promise<{ readonly path: string; readonly inspected: InspectedBackup }> {
  const passphrase = ports.secrets.get(PASSPHRASE);
  const { os, arch } = node.host;
  const nodeName = node.joined ? node.nodeName : undefined;
  const path = await chooseArchive(place, passphrase, { nodeName, os, arch });
  const inspected = await inspectBackup({ path, passphrase });
  refuseOtherMachine(inspected.manifest, node);
  refuseOtherNode(inspected.manifest, nodeName, layout);
  return { path, inspected };
}

function movesTo(layout: NodeLayout, { folders }: BackupManifest): readonly FolderMove[] {
  return [
    { from: folders.config, to: layout.configFolder },
    { from: folders.state, to: layout.stateFolder },
  ];
}

/** The service as join would register it, with what the operator had changed about it. */
function specFrom({ service }: BackupManifest, layout: NodeLayout): ServiceSpec {
  const { spec } = joinedAgentService(layout);
  if (service === null) return spec;
  const recovery = chosenRecovery(service.recovery);
  return { ...spec, startType: service.startType, dependencies: service.dependencies, recovery };
}

/** Some systems can do only a part of a recovery policy, so what they give back of it is not compared. */
function isRegistered(found: ServiceSpec | undefined, wanted: ServiceSpec): boolean {
  return found !== undefined && isDeepStrictEqual({ ...found, recovery: wanted.recovery }, wanted);
}

function refuseOtherMachine({ os, arch }: BackupManifest, { host }: NodeFacts): void {
  if (os === host.os && arch === host.arch) return;
  throw invalidBackup(`is of a machine with ${os}-${arch}, and this one is ${host.os}-${host.arch}`);
}

function refuseOtherNode(
  { nodeName }: BackupManifest,
  present: string | undefined,
  { configFolder }: NodeLayout,
): void {
  if (present === undefined || present === nodeName) return;
  throw new OperatorError(
    'NODE_CONFLICT',
    `Cannot restore the node "${nodeName}": this machine is the node "${present}"`,
    {
      hint: `Remove that node first with "keadm reset", if you do not need it; its configuration is in "${configFolder}".`,
    },
  );
}
