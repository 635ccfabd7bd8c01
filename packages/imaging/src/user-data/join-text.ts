import { parseJoinConfiguration } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { isMap, LineCounter, parseAllDocuments, type Document } from 'yaml';
import { membersOf, rangeStart, type Entry } from '../cloudbase/cloud-config/entry.ts';
import { requireSoundJoin, type JoinAdditions, type JoinPlace } from './join-problems.ts';
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

/** A configuration, and where it comes from: a file of its own, or a part of another one. */
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
    // Aliases of aliases exhaust the patience; then all problems are told at the first line.
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
