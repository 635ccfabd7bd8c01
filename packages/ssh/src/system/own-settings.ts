import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import { askSsh, type Settings } from './run-ssh.ts';
import { configLines, hostArgument, mayBeSet } from './config-keywords.ts';
import { removeFolder } from './private-files.ts';
import { addressLines, includeLines } from './ssh-config.ts';

const PRIVATE_FILE = 0o600;
/** FreeIPA's clients connect by it to the host itself, only to learn its keys. */
const DIRECT_PROXY = /^\S*\bsss_ssh_knownhostsproxy(\s|$)/;

/** What this machine's own settings for ssh say about a host, as far as the library cannot do it. */
export interface OwnSettings {
  /** The keyword of the program or machine that ssh goes through. */
  readonly proxy: 'ProxyCommand' | 'ProxyJump' | undefined;
  readonly gssapi: boolean;
  /** Where ssh really goes to; undefined if that is the host itself. */
  readonly realName: string | undefined;
}

/** The kinds of setting that can be asked about. */
export type SettingKind = 'proxy' | 'gssapi' | 'name';

/** Looks into this machine's own settings for ssh. */
export interface OwnSettingsBook {
  /** What is said for a host; undefined if nothing of this kind is, or there is no ssh. Rejects if ssh cannot determine. */
  about(target: RemoteTarget, kind: SettingKind): Promise<OwnSettings | undefined>;
}

/** Where the settings are. */
export interface SettingsPlaces {
  readonly program: string;
  readonly includes: readonly string[];
  readonly temporaryFolder: string;
}

const KEYWORDS: Readonly<Record<SettingKind, readonly string[]>> = {
  proxy: ['proxycommand', 'proxyjump'],
  gssapi: ['gssapiauthentication'],
  name: ['hostname'],
};

/** Reads the files once, and asks ssh at most once for a host: only ssh knows which of their lines hold for it. */
export function ownSettingsBook(places: SettingsPlaces): OwnSettingsBook {
  // At once: anyone who asks first would wait for it, and so would all others.
  const lines = configLines(places.includes);
  // The caller gets the answer.
  lines.catch(() => undefined);
  const answers = new Map<string, Promise<OwnSettings | undefined>>();
  return {
    async about(target, kind) {
      if (!mayBeSet(await lines, KEYWORDS[kind], target.host)) return undefined;
      const name = JSON.stringify([target.user, target.host, target.port]);
      const answer = answers.get(name) ?? ask(places, target);
      answers.set(name, answer);
      // What failed is asked again.
      answer.catch(() => answers.delete(name));
      return answer;
    },
  };
}

/** What ssh has printed about a host. */
export function readSettings(host: string, reported: Settings): OwnSettings {
  const isSaid = (keyword: string): boolean => !['', 'none'].includes(reported.get(keyword) ?? '');
  const command = isSaid('proxycommand') ? 'ProxyCommand' : undefined;
  const jump = isSaid('proxyjump') ? 'ProxyJump' : undefined;
  const realName = reported.get('hostname') ?? host;
  return {
    proxy: DIRECT_PROXY.test(reported.get('proxycommand') ?? '') ? undefined : (command ?? jump),
    gssapi: reported.get('gssapiauthentication') === 'yes',
    realName: realName.toLowerCase() === host.toLowerCase() ? undefined : realName,
  };
}

async function ask(places: SettingsPlaces, target: RemoteTarget): Promise<OwnSettings | undefined> {
  const host = hostArgument(target.host);
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(places.temporaryFolder, 'fssh-'));
    const config = join(folder, 'config');
    const lines = ['Host *', ...addressLines(target), ...includeLines(places.includes)];
    await writeFile(config, `${lines.join('\n')}\n`, { mode: PRIVATE_FILE });
    const reported = await askSsh(places.program, config, host);
    return reported && readSettings(host, reported);
  } catch (error) {
    throw fileError(error, `write settings for ssh in "${places.temporaryFolder}"`);
  } finally {
    if (folder !== undefined) await removeFolder(folder);
  }
}
