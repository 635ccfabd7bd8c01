import { readdir, readFile, stat } from 'node:fs/promises';
import { win32 } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import { fail, pass, warn } from '@fenestra/session';
import type { ImageCheck } from './image-state.ts';

export const secrets: ImageCheck = {
  name: 'secrets',
  about: 'no secret is left that every machine made from the image would share',
  judge({ secrets: found }) {
    if (found.length === 0) return pass('No keys, tokens or passwords are left');
    const reasons = found.map(({ path, kinds }) => `"${path}" holds ${kinds.join(' and ')}`);
    return fail(
      reasons.join('; '),
      'Delete these files and revoke the credentials in them: they may have been copied.',
    );
  },
};

export const autoLogon: ImageCheck = {
  name: 'auto-logon',
  about: 'the image does not log anyone in automatically',
  judge({ autoLogon: values }) {
    if (values.length === 0) return pass('The image does not log anyone in automatically');
    return fail(`Winlogon has ${values.join(' and ')}`, 'Delete these values, and change the password.');
  },
};

export const leftovers: ImageCheck = {
  name: 'leftovers',
  about: 'no build files are left',
  judge({ leftovers: found }) {
    if (found.length === 0) return pass('No build files are left');
    return warn(`Left from the build: ${found.map((path) => `"${path}"`).join(', ')}`, 'Delete it.');
  },
};

export const remoteAccess: ImageCheck = {
  name: 'remote-access',
  about: 'no remote access of the build starts with the machine',
  judge({ remoteServices }) {
    const open = remoteServices.filter(({ startType }) => startType?.startsWith('automatic') === true);
    if (open.length === 0) return pass('No remote login service starts with the machine');
    const names = open.map(({ name }) => `"${name}"`).join(' and ');
    return fail(
      `${names} would start on every machine made from the image, and accept the build password`,
      `Disable it: sc.exe config ${open[0]?.name ?? ''} start= disabled. It keeps running until the machine stops.`,
    );
  },
};

/** Secrets that every machine made from the image would share. */
const SECRETS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  { kind: 'the key of a kubeconfig', pattern: /^\s*client-key-data:\s*\S/m },
  { kind: 'the token of a kubeconfig', pattern: /^\s*-?\s*token:\s*["']?[\w-]{6,}/m },
  { kind: 'a bootstrap token', pattern: /token["']?[\s:=]+["']?[a-z0-9]{6}\.[a-z0-9]{16}\b/i },
  { kind: 'a join token', pattern: /\b[0-9a-f]{64}\.eyJ[\w-]{10,}/ },
  {
    kind: 'the password of an answer file',
    pattern: /<(?:[\w]+:)?(?:Administrator)?Password>\s*<(?:[\w]+:)?Value>(?!\s*\*SENSITIVE)[^<]*\S/i,
  },
];

/** The kinds of secret in a text, without any of it. */
export function secretsIn(text: string): readonly string[] {
  return SECRETS.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind);
}

/** A file that holds a secret. */
export interface FoundSecret {
  readonly path: string;
  readonly kinds: readonly string[];
}

/** Deeper than anyone puts such files. */
const MOST_DEPTH = 6;
/** Keys, tokens and answer files are small; what is larger is a program or a log of one. */
const MOST_BYTES = 1024 * 1024;
/** Of a profile also what was typed in PowerShell. */
const PROFILE_FOLDERS = ['.kube', '.ssh', String.raw`AppData\Roaming\Microsoft\Windows\PowerShell`];
/** Files that cannot be read are skipped. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'ELOOP'];

/** The folders of a drive in which tokens, keys and passwords are left behind when a machine is made. */
export async function secretFolders(root: string): Promise<readonly string[]> {
  const below = (...names: readonly string[]): string => win32.join(root, ...names);
  const profiles = await namesIn(below('Users'));
  return [
    below('AzureData'),
    below('etc'),
    below('k'),
    below('run'),
    below('var', 'lib'),
    below('var', 'log'),
    below('Windows', 'Panther'),
    below('Windows', 'System32', 'Sysprep'),
    below('Windows', 'Temp'),
    below('ProgramData', 'ssh'),
    below('Program Files', 'Cloudbase Solutions', 'Cloudbase-Init', 'conf'),
    below('Program Files', 'Cloudbase Solutions', 'Cloudbase-Init', 'log'),
    ...profiles.flatMap((name) => PROFILE_FOLDERS.map((folder) => below('Users', name, folder))),
    ...['unattend.xml', 'autounattend.xml'].map((name) => below(name)),
  ];
}

/** Looks for secrets below these folders and files, and reads nothing else. */
export async function findSecrets(paths: readonly string[]): Promise<readonly FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (const path of paths) await lookBelow(path, MOST_DEPTH, found);
  return found;
}

async function lookBelow(path: string, depth: number, found: FoundSecret[]): Promise<void> {
  const entry = await stat(path).catch(ifUnreadable);
  if (entry?.isFile() === true && entry.size <= MOST_BYTES) await lookInto(path, found);
  if (entry?.isDirectory() !== true || depth === 0) return;
  for (const name of await namesIn(path)) await lookBelow(win32.join(path, name), depth - 1, found);
}

async function lookInto(path: string, found: FoundSecret[]): Promise<void> {
  const content = await readFile(path).catch(ifUnreadable);
  const kinds = content === undefined ? [] : secretsIn(textOf(content));
  if (kinds.length > 0) found.push({ path, kinds });
}

/** Windows writes answer files and logs as UTF-16, too. */
function textOf(content: Buffer): string {
  const isWide = content[0] === 0xff && content[1] === 0xfe;
  return content.toString(isWide ? 'utf16le' : 'utf8');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ifUnreadable)) ?? [];
}

function ifUnreadable(cause: unknown): undefined {
  if (!UNREADABLE.includes(systemCodeOf(cause))) throw cause;
}
