import { type JoinToken, parseJoinToken } from '@fenestra/contracts';
import { parseBootstrapToken } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { findKubeadmConfigs, holdsKubeadmConfig } from '../kubeadm-config/find-kubeadm-configs.ts';
import { kubeadmWishes, type KubeadmWishes } from './from-kubeadm-config.ts';
import { markedJoin } from './join-text.ts';
import type { JoinAct, TokenSource, UserDataCommand, UserDataRequest } from './request.ts';
import type { SecretStore } from './secret-store.ts';

/** What every request has, as it was typed. Secret. */
export interface GivenRequest extends Pick<UserDataRequest, 'form' | 'service'> {
  readonly commandsBefore: readonly string[];
  readonly commandsAfter: readonly string[];
  readonly store: SecretStore | undefined;
  readonly token: string | undefined;
}

/** An edge node: the arguments of `keadm join`, without the token. */
export interface GivenEdge extends GivenRequest {
  readonly words: readonly string[];
  readonly now: Date;
}

/** A worker: a file, and what the command line adds to it. */
export interface GivenWorker extends GivenRequest {
  readonly source: string;
  readonly text: string;
  readonly endpoint: string | undefined;
  readonly caHashes: readonly string[];
  readonly program: Extract<JoinAct, { kind: 'worker' }>['program'];
}

/** A request, and what was changed on the way to it. */
export interface ComposedRequest {
  readonly request: UserDataRequest;
  readonly notes: readonly string[];
}

/** The request of an edge node. Throws where there is no token, or a broken one. */
export function edgeRequest({ words, store, token, form, service, now, ...given }: GivenEdge): ComposedRequest {
  const inline = store === undefined && token !== undefined ? parseJoinToken(token) : undefined;
  const request = {
    form,
    service,
    join: { kind: 'edge', words },
    token: tokenSource(store, token),
    files: [],
    ...givenCommands(given),
    settings: {},
  } satisfies UserDataRequest;
  return { request, notes: inline === undefined ? [] : edgeTokenNotes(inline, now) };
}

function givenCommands(
  given: Pick<GivenRequest, 'commandsBefore' | 'commandsAfter'>,
): Pick<UserDataRequest, 'commandsBefore' | 'commandsAfter'> {
  return {
    commandsBefore: placed('--pre-command', given.commandsBefore),
    commandsAfter: placed('--post-command', given.commandsAfter),
  };
}

function placed(option: string, commands: readonly string[]): readonly UserDataCommand[] {
  return commands.map((text, index) => ({ text, place: `${option}, number ${index + 1}` }));
}

/** The request of a worker, from a KubeadmConfig or a JoinConfiguration. Throws all that is wrong with the file. */
export function workerRequest(given: GivenWorker): ComposedRequest {
  const { source, store, form, service, program } = given;
  const wishes = wishesOf(given.text, source);
  if (given.token !== undefined) parseBootstrapToken(given.token);
  const commands = givenCommands(given);
  const { text, token } = markedJoin({ text: wishes.configuration, source, place: wishes.place }, given);
  return {
    request: {
      form,
      service,
      join: { kind: 'worker', configuration: text, program, verbosity: wishes.verbosity },
      token: tokenSource(store, token),
      files: wishes.files,
      commandsBefore: [...wishes.commandsBefore, ...commands.commandsBefore],
      commandsAfter: [...wishes.commandsAfter, ...commands.commandsAfter],
      settings: wishes.settings,
    },
    notes: wishes.notes,
  };
}

function wishesOf(text: string, source: string): KubeadmWishes {
  if (!holdsKubeadmConfig(text)) return { configuration: text, ...NOTHING_ELSE };
  const configs = findKubeadmConfigs(text);
  if ('line' in configs) throw unreadable(source, configs.line);
  const [config, second] = configs;
  if (config === undefined || second !== undefined) throw notOne(source, configs.length);
  return kubeadmWishes(config, source);
}

const NOTHING_ELSE: Omit<KubeadmWishes, 'configuration'> = {
  files: [],
  commandsBefore: [],
  commandsAfter: [],
  settings: {},
  verbosity: undefined,
  place: undefined,
  notes: [],
};

function tokenSource(store: SecretStore | undefined, token: string | undefined): TokenSource {
  if (store !== undefined) return { kind: 'store', store };
  if (token !== undefined) return { kind: 'inline', token };
  throw new OperatorError('USAGE', 'Cannot join a machine without a token', {
    hint: 'Name a store with "--secret-store", or give it with "--token-file", "--token -" or KEADM_TOKEN.',
  });
}

function unreadable(source: string, line: number): OperatorError {
  return new OperatorError(
    'CONFIG_INVALID',
    `Cannot load "${source}": 1 problem(s)\n  ${source}:${line} is not valid YAML`,
    {
      hint: 'Correct the line above.',
      details: { file: source, problems: 1 },
    },
  );
}

function notOne(source: string, count: number): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot load "${source}": it holds ${count} KubeadmConfigs`, {
    hint: 'Give a file with exactly one.',
  });
}

/** As long as a token for one node lives. */
const SHORT_MS = 60 * 60_000;

/** What to know of an edge node's token that stands in the user-data. */
export function edgeTokenNotes({ claims: { expiresAt, node } }: JoinToken, now: Date): readonly string[] {
  if (expiresAt !== undefined && expiresAt - now.getTime() <= SHORT_MS) {
    return [`The user-data contains the token; it is valid until ${timeText(expiresAt)}.`];
  }
  const whom = node === undefined ? 'nodes' : `as "${node}"`;
  const end = expiresAt === undefined ? 'for ever' : `until ${timeText(expiresAt)}`;
  return [
    `The user-data contains the token, and anyone who reads it can join ${whom} ${end}: "keadm gettoken --node NAME" makes a token for one node, valid for one hour and one use.`,
  ];
}

/** A token may name a time that no calendar has. */
function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'the end of time' : date.toISOString();
}
