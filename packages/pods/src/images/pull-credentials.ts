import { objectAt, stringAt, type JsonObject } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { parseImageName } from './image-name.ts';

/**
 * What a registry is given to let an image be pulled, in the form of the runtime interface. Without the address of the
 * server, as a kubelet sends it: containerd ignores credentials whose address is not a URL with exactly the final host.
 */
export interface PullCredentials {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly identityToken: string;
}

const text = z.prefault(z.string(), '');
const Entry = z.object({ username: text, password: text, auth: text, identitytoken: text });
const Entries = z.record(z.string(), Entry);
type Entry = z.infer<typeof Entry>;

const DEFAULT_KEY = 'index.docker.io';

/**
 * The credentials of Secrets that fit an image, the most specific first. Those that cannot be read are skipped. The
 * last attempt is to be made without any.
 */
export function pullCredentials(image: string, secrets: readonly JsonObject[]): readonly PullCredentials[] {
  const name = parseImageName(image);
  if (name === undefined) return [];
  const entries = secrets.flatMap(entriesOf).map(([key, entry]) => ({ key: normalKey(key), entry }));
  const fitting = entries.filter(({ key }) => fits(key, name.registry, name.repository));
  const isDefault = fitting.length === 0 && name.registry === 'docker.io';
  const chosen = isDefault ? entries.filter(({ key }) => key === DEFAULT_KEY) : fitting;
  return chosen.toSorted((a, b) => (a.key < b.key ? 1 : -1)).map(({ entry }) => credentialsOf(entry));
}

function entriesOf(secret: JsonObject): readonly [string, Entry][] {
  const isOld = stringAt(secret, 'type') === 'kubernetes.io/dockercfg';
  const encoded = stringAt(secret, 'data', isOld ? '.dockercfg' : '.dockerconfigjson');
  try {
    const content: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
    const read = z.safeParse(isOld ? Entries : z.object({ auths: Entries }), content);
    if (!read.success) return [];
    return Object.entries('auths' in read.data && !isOld ? objectAt(read.data, 'auths') : read.data).flatMap(
      ([key, value]) => {
        const entry = z.safeParse(Entry, value);
        return entry.success ? [[key, entry.data] as [string, Entry]] : [];
      },
    );
  } catch {
    return [];
  }
}

/** A key without scheme, and without the version of the protocol that Docker writes at its end. */
function normalKey(key: string): string {
  const schemeless = key.replace(/^https?:\/\//, '');
  const slash = schemeless.indexOf('/');
  const host = slash === -1 ? schemeless : schemeless.slice(0, slash);
  const path = (slash === -1 ? '' : schemeless.slice(slash)).replace(/^\/v[12]\//, '/');
  return path === '' || path === '/' ? host : host + path;
}

/** Whether a key is for an image: the same port, each label of the host by its pattern, and a path that begins so. */
function fits(key: string, registry: string, repository: string): boolean {
  const slash = key.indexOf('/');
  const [host = '', port = ''] = splitPort(slash === -1 ? key : key.slice(0, slash));
  const [targetHost = '', targetPort = ''] = splitPort(registry);
  const labels = host.split('.');
  const targets = targetHost.split('.');
  const path = slash === -1 ? '' : key.slice(slash);
  return (
    port === targetPort &&
    labels.length === targets.length &&
    labels.every((label, index) => matchesLabel(label, targets[index] ?? '')) &&
    `/${repository}`.startsWith(path)
  );
}

function matchesLabel(pattern: string, label: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^.]*')}$`).test(label);
}

function splitPort(host: string): readonly string[] {
  const [, name = host, port = ''] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return [name, port];
}

function credentialsOf({ username, password, auth, identitytoken }: Entry): PullCredentials {
  const [, user = '', secret = ''] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(auth, 'base64').toString('utf8')) ?? [];
  return {
    username: username || user,
    password: password || secret,
    auth: '',
    identityToken: identitytoken,
  };
}
