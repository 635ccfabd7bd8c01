import { joinProblems, parseJoinConfiguration, type Problem, problemsError } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { type Document, isMap, LineCounter, parseAllDocuments } from 'yaml';
import { type Entry, membersOf, rangeStart } from '../cloudbase/cloud-config/entry.ts';
import { TOKEN_MARK } from './request.ts';

/** A configuration for the script: sound, with the mark in place of the token, and the token that was in it. */
export interface MarkedJoin {
  readonly text: string;
  /** Secret. */
  readonly token: string | undefined;
}

/** Any token will do to check all the rest. */
const SAMPLE_TOKEN = 'abcdef.0123456789abcdef';
const TOKEN = ['discovery', 'bootstrapToken', 'token'];
const ENDPOINT = ['discovery', 'bootstrapToken', 'apiServerEndpoint'];
const HASHES = ['discovery', 'bootstrapToken', 'caCertHashes'];
const TLS_TOKEN = ['discovery', 'tlsBootstrapToken'];

/** A configuration, and where it comes from: a separate file, or a part of another one. */
export interface JoinSource {
  readonly text: string;
  readonly source: string;
  readonly place: Omit<JoinPlace, 'source'> | undefined;
}

/** Completes and checks a configuration, and takes the token out. Throws `CONFIG_INVALID` with all that is wrong. */
export function markedJoin(given: JoinSource, additions: JoinAdditions): MarkedJoin {
  const { source } = given;
  const document = findDocument(given.text, source);
  const byFile = document.hasIn(['discovery', 'file']);
  if (!byFile) addDiscovery(document, additions);
  const token = additions.token ?? textIn(document, TOKEN) ?? textIn(document, TLS_TOKEN);
  const place = byFile ? TLS_TOKEN : TOKEN;
  if (!byFile && document.hasIn(TLS_TOKEN)) document.deleteIn(TLS_TOKEN);
  document.setIn(place, token ?? SAMPLE_TOKEN);
  requireSoundJoin(String(document), additions, () => ({ source, ...(given.place ?? ownPlace(given.text)) }));
  document.setIn(place, TOKEN_MARK);
  return { text: String(document), token };
}

function findDocument(text: string, source: string): Document {
  const documents = parseAllDocuments(text, { logLevel: 'silent', prettyErrors: false });
  const broken = 'empty' in documents || documents.some(({ errors }) => errors.length > 0);
  const found = broken ? undefined : documents.find((document) => document.get('kind') === 'JoinConfiguration');
  if (found !== undefined && isMap(found.contents)) return found;
  // Its own reader says best what is wrong.
  parseJoinConfiguration(text, source, 'windows');
  throw new OperatorError('CONFIG_INVALID', `Cannot load "${source}": it contains no JoinConfiguration`, {
    hint: 'Give a file with a KubeadmConfig or a JoinConfiguration.',
  });
}

/** The places in a file that is the configuration itself. */
function ownPlace(text: string): Omit<JoinPlace, 'source'> {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  const documents = [...parseAllDocuments(text, { lineCounter, logLevel: 'silent', prettyErrors: false })];
  const document = documents.find((each) => each.get('kind') === 'JoinConfiguration');
  const members = document === undefined ? [] : membersIn(document, lineAt);
  const line = lineAt(rangeStart(document?.contents));
  return { entry: { key: '', path: '', line, value: null, source: undefined, members }, path: '' };
}

function membersIn(document: Document.Parsed, lineAt: (offset: number) => number): readonly Entry[] {
  try {
    return membersOf(document.contents, '', { document, lineAt });
  } catch {
    // Too many aliases: all problems are reported at the first line.
    return [];
  }
}

function addDiscovery(document: Document, { endpoint, caHashes }: JoinAdditions): void {
  if (endpoint !== undefined) document.setIn(ENDPOINT, endpoint);
  if (caHashes.length > 0) document.setIn(HASHES, caHashes);
}

function textIn(document: Document, path: readonly string[]): string | undefined {
  const value: unknown = document.getIn(path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What the command line adds to a configuration that Cluster API would have completed. Secret. */
export interface JoinAdditions {
  readonly endpoint: string | undefined;
  readonly caHashes: readonly string[];
  /** `undefined` if the machine fetches it. */
  readonly token: string | undefined;
}

/** Where a configuration stands in the file that the operator wrote. */
export interface JoinPlace {
  readonly source: string;
  /** What the fields of the configuration are below. */
  readonly entry: Entry;
  /** The path of the configuration there; empty if it is the document itself. */
  readonly path: string;
}

const HINT = 'Correct the lines above; "kubeadm config print join-defaults" prints an example.';

/** Fields that Cluster API would fill in, and that options set instead. */
const OPTIONS: Readonly<Record<string, string>> = {
  'discovery.bootstrapToken.apiServerEndpoint': '--endpoint',
  'discovery.bootstrapToken.caCertHashes': '--discovery-token-ca-cert-hash',
};

/**
 * Throws all that is wrong with a completed configuration: `USAGE` for what an option says, otherwise `CONFIG_INVALID`
 * with the lines of the operator's file, which are not those of the text that was made of it.
 */
function requireSoundJoin(text: string, additions: JoinAdditions, placeOf: () => JoinPlace): void {
  const problems = joinProblems(text, 'windows');
  if (problems.length === 0) return;
  for (const { path, message } of problems) {
    const option = optionOf(path);
    if (option !== undefined && isGiven(option, additions)) throw wrongOption(option, message);
  }
  const place = placeOf();
  throw problemsError(
    place.source,
    problems.map((problem) => placed(problem, place)),
    HINT,
  );
}

function optionOf(path: string): string | undefined {
  return OPTIONS[path.replace(/\[\d+\]$/, '')];
}

function isGiven(option: string, { endpoint, caHashes }: JoinAdditions): boolean {
  return option === '--endpoint' ? endpoint !== undefined : caHashes.length > 0;
}

function wrongOption(option: string, message: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use the value of "${option}": it ${message}`, {
    hint: 'Correct the option and run the command again.',
  });
}

function placed({ path, message }: Problem, { entry, path: above }: JoinPlace): Problem {
  const whole = [above, path].filter((part) => part !== '').join('.');
  const option = optionOf(path);
  return {
    line: lineOf(entry, whole),
    path: whole,
    message: option === undefined ? message : `${message}; "${option}" can set it, too`,
  };
}

/** The line of a field, or of the nearest part of the file around it. */
function lineOf({ members, line }: Entry, path: string): number {
  const next = members.find(
    (member) => path === member.path || (/^[.[]/.test(path.slice(member.path.length)) && path.startsWith(member.path)),
  );
  return next === undefined ? line : lineOf(next, path);
}
