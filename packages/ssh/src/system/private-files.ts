import { mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteTarget } from '@fenestra/platform';
import { wholeKey } from '../host-keys/known-hosts.ts';
import { askPassScript, type Question, questionsAbout } from './ask-pass.ts';
import { askSsh } from './run-ssh.ts';
import { configLines, configValue, hostArgument, ignoredKeywords, shellWord } from './config-keywords.ts';
import { sshConfigText } from './ssh-config.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_PROGRAM = 0o700;

/** What ssh is started with for one machine. */
export interface SshFiles {
  readonly folder: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  /** Removes what is secret, once no one will ask for it again. */
  forgetSecrets(): Promise<void>;
  remove(): Promise<void>;
}

/** Where things are on this machine. */
export interface SystemPlaces {
  readonly program: string;
  readonly temporaryFolder: string;
  readonly includes: readonly string[];
  readonly knownHosts: readonly string[];
  readonly acceptNew: boolean;
  /** Whether one connection serves all commands. */
  readonly multiplex: boolean;
}

/** Writes the files for a machine and the ones on the way into a folder that only this account can look into. */
export async function writeSshFiles(target: RemoteTarget, places: SystemPlaces): Promise<SshFiles> {
  // A socket's path must be short, so the folder's name is.
  const folder = await mkdtemp(join(places.temporaryFolder, 'fssh-'));
  const secrets: string[] = [];
  try {
    const questions: Question[] = [];
    let proxyCommand: string | undefined;
    for (const [index, hop] of target.jumps.entries()) {
      const config = await writeConfig(folder, `jump${index}`, hop, places, proxyCommand);
      questions.push(...questionsAbout(hop, await namesOf(hop, config, places)));
      proxyCommand = `${places.program} -F ${configValue(config)} -W [%h]:%p -- ${hostArgument(hop.host)}`;
    }
    const config = await writeConfig(folder, 'target', target, places, proxyCommand);
    questions.push(...questionsAbout(target, await namesOf(target, config, places)));
    const env = await writeAskPass(folder, questions, secrets);
    const forgetSecrets = async (): Promise<void> => {
      for (const file of secrets) await rm(file, { force: true });
    };
    return { folder, config, env, forgetSecrets, remove: async () => removeFolder(folder) };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function writeConfig(
  folder: string,
  name: string,
  target: RemoteTarget,
  places: SystemPlaces,
  proxyCommand: string | undefined,
): Promise<string> {
  const path = join(folder, `${name}.config`);
  const pinCommand = target.hostKeys.length === 0 ? undefined : await writePins(folder, name, target.hostKeys);
  const controlPath = name === 'target' && places.multiplex ? join(folder, 'control') : undefined;
  const ignored = ignoredKeywords(await configLines(places.includes));
  const text = sshConfigText({ ...places, target, pinCommand, proxyCommand, controlPath, ignored });
  await writeFile(path, text, { mode: PRIVATE_FILE });
  return path;
}

/** ssh asks it for the lines that fit; it prints the shown key if that is one of the pinned ones. */
async function writePins(folder: string, name: string, pins: readonly string[]): Promise<string> {
  const path = join(folder, `${name}.pins`);
  const fingerprints = pins.filter((pin) => wholeKey(pin) === undefined).map((pin) => pin.replaceAll('=', ''));
  const keys = pins.flatMap((pin) => wholeKey(pin)?.toString('base64') ?? []);
  const cases = [...fingerprints, ...keys].map(shellWord).join('|');
  const script = `#!/bin/sh\nfor shown in "$1" "$4"; do\n  case "$shown" in ${cases}) echo "$2 $3 $4" ;; esac\ndone\n`;
  await writeFile(path, script, { mode: PRIVATE_PROGRAM });
  return `${configValue(path)} %f %H %t %K`;
}

/** ssh has no other way to get a secret than by a program that prints it. The secrets are in files beside it. */
async function writeAskPass(
  folder: string,
  questions: readonly Question[],
  secrets: string[],
): Promise<Readonly<Record<string, string>>> {
  if (questions.length === 0) return {};
  const answers: { beginning: string; file: string }[] = [];
  for (const { beginning, secret } of questions) {
    const file = join(folder, `secret${secrets.length}`);
    secrets.push(file);
    await writeFile(file, `${secret}\n`, { mode: PRIVATE_FILE });
    answers.push({ beginning, file });
  }
  const program = join(folder, 'askpass');
  await writeFile(program, askPassScript(answers), { mode: PRIVATE_PROGRAM });
  return { SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: 'force' };
}

/** What ssh may call a machine when it asks for a password. */
async function namesOf(target: RemoteTarget, config: string, places: SystemPlaces): Promise<readonly string[]> {
  const host = hostArgument(target.host);
  const isAskedByName = target.auth.some(({ kind }) => kind === 'password' || kind === 'keyboard-interactive');
  const reported = isAskedByName && places.includes.length > 0 ? await askSsh(places.program, config, host) : undefined;
  const names = [host.toLowerCase(), reported?.get('hostname'), reported?.get('hostkeyalias')];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Removes a folder of ours: it holds files and a socket, never a folder. */
export async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
  await rmdir(folder);
}
