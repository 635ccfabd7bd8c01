import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { flagValue } from '../far-end/command-words.ts';
import type { FarEndFacts } from '../far-end/messages.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey } from '../run/node-worker.ts';
import type { Places } from './far-system.ts';

type CommandKind = 'join' | 'upgrade' | 'config' | 'reset' | 'other';

/** What kind of change the words ask for. */
export function commandKind([name = '', ...words]: readonly string[]): CommandKind {
  if (name === 'upgrade' && flagValue(words, ['--config']) !== undefined) return 'config';
  if (name === 'config') return words[0] === 'set' || words[0] === 'apply' ? 'config' : 'other';
  if (name === 'config-update') return 'config';
  return name === 'join' || name === 'upgrade' || name === 'reset' ? name : 'other';
}

/** Whether only an administrator can do it, unless the node is below a folder. */
export function needsRights([name = '']: readonly string[]): boolean {
  return ['join', 'upgrade', 'reset', 'rollback', 'restore', 'config', 'config-update', 'backup', 'recover'].includes(
    name,
  );
}

/** The folder below which the command has its node. */
export function rootOf(words: readonly string[]): string | undefined {
  return flagValue(words, ['--root']);
}

/** Where the node stands. */
export function nodeState({ version, configured, running }: FarEndFacts): NodeSurvey['state'] {
  if (running) return 'running';
  return version === undefined && !configured ? 'absent' : 'stopped';
}

/** What the command would do to a node with these facts, given the version that the program carries. */
export function judge(
  { shownCommand: words }: Pick<BatchNode, 'shownCommand'>,
  facts: FarEndFacts,
  carried: string,
): Pick<NodeSurvey, 'action' | 'summary'> {
  const state = nodeState(facts);
  const kind = commandKind(words);
  switch (kind) {
    case 'join':
      return judgeJoin(words, facts, carried);
    case 'upgrade':
      return judgeUpgrade(words, facts, carried);
    case 'reset':
      return state === 'absent' ? nothing('no node there') : change(`reset ${facts.status?.nodeName ?? 'the node'}`);
    case 'config':
    case 'other':
      return change(`keadm ${words.join(' ')}`);
  }
}

function judgeJoin(words: readonly string[], facts: FarEndFacts, carried: string): ReturnType<typeof judge> {
  const version = flagValue(words, ['--version', '--kubeedge-version']) ?? carried;
  const name = flagValue(words, ['--edgenode-name', '-i']);
  const cloud = flagValue(words, ['--cloudcore-ip', '--cloudcore-ipport', '-e']);
  const { status } = facts;
  const isSame =
    isVersion(facts.version, version) &&
    (name === undefined || status?.nodeName === name) &&
    (cloud === undefined || facts.servers.some((server) => isAt(server, cloud, flagValue(words, ['--hub-port']))));
  if (facts.running && status?.connected === true && isSame)
    return nothing(`already joined as ${status.nodeName ?? name}`);
  return change(`join${name === undefined ? '' : ` as ${name}`}`);
}

function judgeUpgrade(words: readonly string[], facts: FarEndFacts, carried: string): ReturnType<typeof judge> {
  const asked = flagValue(words, ['--version', '--toVersion']);
  const version = asked ?? (flagValue(words, ['--from']) === undefined ? carried : undefined);
  if (facts.running && version !== undefined && isVersion(facts.version, version)) {
    return nothing(`already at ${versionTag(version)}`);
  }
  const from = facts.version === undefined ? '' : ` ${versionTag(facts.version)}`;
  return change(`upgrade${from}${version === undefined ? '' : ` to ${versionTag(version)}`}`);
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

/** The keadm command that undoes the node's, given how the node was before it. */
export function undoWords(
  { name, shownCommand: command }: Pick<BatchNode, 'name' | 'shownCommand'>,
  { state, installedVersion }: Pick<NodeSurvey, 'state' | 'installedVersion'>,
  { configBefore }: Pick<Places, 'configBefore'>,
): readonly string[] {
  const root = rootOf(command);
  const below = root === undefined ? [] : ['--root', root];
  switch (commandKind(command)) {
    case 'upgrade':
      return ['rollback', ...(installedVersion === undefined ? [] : [installedVersion]), ...below];
    case 'join':
      if (state === 'absent') return ['reset', '--force', ...below];
      throw cannotUndo(name, 'the machine had a node already, which "keadm join" repaired');
    case 'config':
      return ['config', 'apply', configBefore, ...below];
    case 'reset':
      throw cannotUndo(name, 'a node that was reset has to join again');
    case 'other':
      throw cannotUndo(name, `there is no rollback for "keadm ${command[0] ?? ''}"`);
  }
}

function cannotUndo(node: string, why: string): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot roll "${node}" back: ${why}`, {
    hint: 'Repair the node manually.',
  });
}
