import { parseJoinConfiguration } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { Document, isMap, parseAllDocuments } from 'yaml';
import { TOKEN_MARK } from './request.ts';

/** What the command line adds to a configuration that Cluster API would have completed. Secret. */
export interface JoinAdditions {
  readonly endpoint: string | undefined;
  readonly caHashes: readonly string[];
  /** `undefined` if the machine fetches it. */
  readonly token: string | undefined;
}

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

/** Completes and checks a configuration, and takes the token out. Throws `CONFIG_INVALID` with all that is wrong. */
export function markedJoin(text: string, source: string, additions: JoinAdditions): MarkedJoin {
  const document = findDocument(text, source);
  const byFile = document.hasIn(['discovery', 'file']);
  if (!byFile) addDiscovery(document, additions);
  const token = additions.token ?? textIn(document, TOKEN) ?? textIn(document, TLS_TOKEN);
  const place = byFile ? TLS_TOKEN : TOKEN;
  if (!byFile && document.hasIn(TLS_TOKEN)) document.deleteIn(TLS_TOKEN);
  document.setIn(place, token ?? SAMPLE_TOKEN);
  parseJoinConfiguration(String(document), source, 'windows');
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
  throw new OperatorError('CONFIG_INVALID', `Cannot load "${source}": it has no JoinConfiguration`, {
    hint: 'Give a file with a KubeadmConfig or a JoinConfiguration.',
  });
}

function addDiscovery(document: Document, { endpoint, caHashes }: JoinAdditions): void {
  if (endpoint !== undefined) document.setIn(ENDPOINT, endpoint);
  if (caHashes.length > 0) document.setIn(HASHES, caHashes);
}

function textIn(document: Document, path: readonly string[]): string | undefined {
  const value: unknown = document.getIn(path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
