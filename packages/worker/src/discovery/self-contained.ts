import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileError, OperatorError } from '@fenestra/kernel';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { DiscoveryFile } from './discover-by-file.ts';

const Fields = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof Fields>;

const name = z.nullish(z.string());

const Kubeconfig = z.object({
  'current-context': name,
  clusters: z.array(z.object({ name, cluster: Fields })),
  contexts: z.nullish(z.array(z.object({ name, context: z.object({ cluster: name, user: name }) }))),
  users: z.nullish(z.array(z.object({ name, user: z.nullish(Fields) }))),
});
type Kubeconfig = z.infer<typeof Kubeconfig>;

/** Fields that name a file, and the field that holds its content instead. */
const CLUSTER_FILES = { 'certificate-authority': 'certificate-authority-data' };
const USER_FILES = { 'client-certificate': 'client-certificate-data', 'client-key': 'client-key-data' };
const PROGRAMS: readonly string[] = ['exec', 'auth-provider'];
/** Ignored: a CA that comes by a connection no one checked would be anyone's. */
const UNCHECKED = 'insecure-skip-tls-verify';
const ONLY = 'discovery';

/** The cluster and user that a kubeconfig means, without other files. As secret as what is put into it. */
export async function selfContained(file: DiscoveryFile): Promise<string> {
  const { cluster, user } = meant(read(file.text));
  if (file.folder === undefined) refuseForeign(cluster, user);
  const embedded = {
    cluster: { ...(await embed(cluster, CLUSTER_FILES, file.folder ?? '')), [UNCHECKED]: undefined },
    user: await embedToken(await embed(user, USER_FILES, file.folder ?? ''), file.folder ?? ''),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': ONLY,
    clusters: [{ name: ONLY, cluster: embedded.cluster }],
    contexts: [{ name: ONLY, context: { cluster: ONLY, user: ONLY } }],
    users: [{ name: ONLY, user: embedded.user }],
  });
}

/** The cluster without a name, as kubeadm writes it, or else the current context's. */
function meant(config: Kubeconfig): { readonly cluster: Fields; readonly user: Fields } {
  const context = named(config.contexts, config['current-context'])?.context;
  const cluster = (named(config.clusters, '') ?? named(config.clusters, context?.cluster))?.cluster;
  if (cluster === undefined) throw invalid('it names no cluster');
  const user = context === undefined ? undefined : named(config.users, context.user)?.user;
  return { cluster, user: user ?? {} };
}

function named<Entry extends { readonly name?: string | null | undefined }>(
  entries: readonly Entry[] | null | undefined,
  wanted: string | null | undefined,
): Entry | undefined {
  return entries?.find((entry) => (entry.name ?? '') === (wanted ?? ''));
}

/** Anyone who can change the file at an address must not have this machine run a program or give one of its files away. */
function refuseForeign(cluster: Fields, user: Fields): void {
  const foreign = [...Object.keys(CLUSTER_FILES), ...Object.keys(USER_FILES), 'tokenFile', ...PROGRAMS];
  const found = foreign.find((field) => cluster[field] !== undefined || user[field] !== undefined);
  if (found !== undefined) throw invalid(`it was fetched, and its "${found}" names something of this machine`);
}

async function embed(fields: Fields, files: Readonly<Record<string, string>>, folder: string): Promise<Fields> {
  const result: Record<string, unknown> = { ...fields };
  for (const [field, data] of Object.entries(files)) {
    const path = fields[field];
    delete result[field];
    // Where both are given, the content counts.
    if (typeof path !== 'string' || path === '' || result[data] !== undefined) continue;
    result[data] = (await content(resolve(folder, path))).toString('base64');
  }
  return result;
}

async function embedToken({ tokenFile, ...user }: Fields, folder: string): Promise<Fields> {
  if (typeof tokenFile !== 'string' || tokenFile === '') return user;
  return { ...user, token: (await content(resolve(folder, tokenFile))).toString('utf8').trim() };
}

async function content(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw fileError(cause, `read "${path}", which the discovery file names`);
  });
}

/** The cause is left out: it would quote the file, and with it a key. */
function read(text: string): Kubeconfig {
  try {
    return Kubeconfig.parse(parse(text, { logLevel: 'silent' }));
  } catch {
    throw invalid('it is not a kubeconfig');
  }
}

function invalid(reason: string): OperatorError {
  return new OperatorError('KUBECONFIG_INVALID', `Cannot use the discovery file: ${reason}`, {
    hint: 'Give a kubeconfig that names the cluster, its CA and, if no token is given, a user with credentials.',
  });
}
