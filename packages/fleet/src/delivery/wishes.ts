import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { commandName } from '../far-end/command-words.ts';
import type { CloudGoal, CommandEffect, NodeGoal, VersionGoal } from '../far-end/command-effect.ts';
import type { FarEndFacts } from '../far-end/messages.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey } from '../run/node-worker.ts';
import type { Places } from './far-system.ts';

/** The note of a worker whose programs were on the machine before. */
export const PREPARED = 'prepared';

/** The version of a node that is not there. */
export const NO_VERSION = 'none';

/** Where the node stands. */
export function nodeState({
  version,
  configured,
  running,
}: Pick<FarEndFacts, 'version' | 'configured' | 'running'>): NodeSurvey['state'] {
  if (running) return 'running';
  return version === undefined && !configured ? 'absent' : 'stopped';
}

interface Judged {
  readonly node: Pick<BatchNode, 'shownCommand'>;
  readonly effect: Pick<CommandEffect, 'goal'>;
}

/** What the command would do to a node with these facts, given the version that the program carries. */
export function judge(
  { node, effect: { goal } }: Judged,
  facts: FarEndFacts,
  carried: string,
): Pick<NodeSurvey, 'action' | 'summary'> {
  switch (goal?.kind) {
    case 'joined':
      return judgeJoin(goal, facts, carried);
    case 'upgraded':
      return judgeUpgrade(goal, facts, carried);
    case 'removed': {
      const name = facts.status?.nodeName ?? 'the node';
      return nodeState(facts) === 'absent' ? nothing('no node there') : change(`reset ${name}`);
    }
    case 'configured':
    case undefined:
      return change(`keadm ${node.shownCommand.join(' ')}`);
  }
}

function judgeJoin(goal: VersionGoal & CloudGoal, facts: FarEndFacts, carried: string): ReturnType<typeof judge> {
  const { version = carried, nodeName: name, cloud, hubPort } = goal;
  const { status } = facts;
  const isSame =
    isVersion(facts.version, version) &&
    (name === undefined || status?.nodeName === name) &&
    (cloud === undefined || facts.servers.some((server) => isAt(server, cloud, hubPort)));
  if (facts.running && status?.connected === true && isSame)
    return nothing(`already joined as ${status.nodeName ?? name}`);
  return change(`join${name === undefined ? '' : ` as ${name}`}`);
}

function judgeUpgrade(goal: VersionGoal, facts: FarEndFacts, carried: string): ReturnType<typeof judge> {
  const version = wantedVersion(goal, carried);
  if (facts.running && version !== undefined && isVersion(facts.version, version)) {
    return nothing(`already at ${versionTag(version)}`);
  }
  const from = facts.version === undefined ? '' : ` ${versionTag(facts.version)}`;
  return change(`upgrade${from}${version === undefined ? '' : ` to ${versionTag(version)}`}`);
}

/** Another source than the program itself has whatever version it has, unless one is asked for. */
function wantedVersion({ version, otherSource }: VersionGoal, carried: string): string | undefined {
  return version ?? (otherSource ? undefined : carried);
}

function isVersion(installed: string | undefined, wanted: string): boolean {
  return installed !== undefined && versionTag(installed) === versionTag(wanted);
}

/** Whether a server of the agent's configuration is the cloud that a command names. */
function isAt(server: string, cloud: string, hubPort: string | undefined): boolean {
  const [has, wants] = [endpointOf(server.replace(/^https?:\/\//, '')), endpointOf(cloud)];
  const port = wants.port ?? hubPort;
  return has.host === wants.host && (port === undefined || has.port === port);
}

/** An address with brackets is one of IPv6, and so is one with several colons. */
function endpointOf(address: string): { readonly host: string; readonly port: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(address) ?? [];
  return { host: bracketed ?? plain ?? address, port };
}

function nothing(summary: string): ReturnType<typeof judge> {
  return { action: 'nothing', summary };
}

function change(summary: string): ReturnType<typeof judge> {
  return { action: 'change', summary };
}

/** The version of the node after a command that succeeds, as a tag; `undefined` where that is not known beforehand. */
export function versionAfter(
  goal: NodeGoal | undefined,
  facts: Pick<FarEndFacts, 'version' | 'configured' | 'running'>,
  carried: string,
): string | undefined {
  const before = facts.version === undefined ? undefined : versionTag(facts.version);
  const isAbsent = nodeState(facts) === 'absent';
  switch (goal?.kind) {
    case 'joined': {
      const wanted = tagOf(wantedVersion(goal, carried));
      // A node that was there before keeps its program.
      return isAbsent || before === wanted ? wanted : undefined;
    }
    case 'upgraded':
      return tagOf(wantedVersion(goal, carried));
    case 'configured':
      return isAbsent ? NO_VERSION : before;
    case 'removed':
      return NO_VERSION;
    case undefined:
      return undefined;
  }
}

function tagOf(version: string | undefined): string | undefined {
  return version === undefined ? undefined : versionTag(version);
}

interface Undone {
  readonly node: Pick<BatchNode, 'name' | 'shownCommand'>;
  readonly effect: Pick<CommandEffect, 'node' | 'undo' | 'root'>;
}

/** The keadm command that undoes the node's, given how the node was before it. */
export function undoWords(
  { node: { name, shownCommand: command }, effect: { node, undo, root } }: Undone,
  before: Pick<NodeSurvey, 'state' | 'installedVersion' | 'notes'>,
  { configBefore }: Pick<Places, 'configBefore'>,
): readonly string[] {
  const below = root === undefined ? [] : ['--root', root];
  switch (undo) {
    case 'rollback':
      return [...(node === 'worker' ? downgradeOf(before) : rollbackTo(before)), ...below];
    case 'reset':
      if (before.state === 'absent') return [...(node === 'worker' ? workerReset(before) : EDGE_RESET), ...below];
      throw cannotUndo(name, `the machine had a node already, which "keadm ${commandName(command)}" repaired`);
    case 'configuration':
      return ['config', 'apply', configBefore, ...below];
    case 'rejoin':
      throw cannotUndo(name, 'a node that was reset has to join again');
    case 'none':
      throw cannotUndo(name, `there is no rollback for "keadm ${commandName(command)}"`);
  }
}

const EDGE_RESET = ['reset', '--force'] as const;

function rollbackTo({ installedVersion }: Pick<NodeSurvey, 'installedVersion'>): readonly string[] {
  return ['rollback', ...(installedVersion === undefined ? [] : [installedVersion])];
}

/** What the machine had before is not checked again. */
function downgradeOf({ installedVersion = '' }: Pick<NodeSurvey, 'installedVersion'>): readonly string[] {
  return ['kube', 'upgrade', '--version', installedVersion, '--skip-check', 'all'];
}

/** Programs that were there before the join stay. */
function workerReset({ notes }: Pick<NodeSurvey, 'notes'>): readonly string[] {
  return ['kube', ...EDGE_RESET, ...(notes[PREPARED] === 'true' ? ['--keep-programs'] : [])];
}

function cannotUndo(node: string, why: string): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot roll "${node}" back: ${why}`, {
    hint: 'Repair the node manually.',
  });
}
