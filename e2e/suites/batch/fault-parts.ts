import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { mustRun } from '../../support/beds/command.ts';
import { requirePackages } from '../../support/beds/debian-packages.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import type { BatchAnswer } from './controller.ts';
import { PLAIN_SESSION, type PlainNode, type PlainSite } from './plain-site.ts';

/** Does nothing to a machine but to be run there. */
export const CHEAP = 'history --root {{root}}';

/** A run on one machine. */
export interface OneRun {
  readonly keadmCmd?: string;
  readonly defaults?: object;
  /** How this machine is reached. */
  readonly ssh?: { readonly port?: number; readonly jump?: string };
  /** What else the file says. */
  readonly more?: object;
}

/** Works on one machine by its own file. */
export async function runOn(site: PlainSite, node: PlainNode, run: OneRun): Promise<BatchAnswer> {
  const file = await fileFor(site, node, run);
  return site.controller.start(['-c', file, ...site.flags]).ended;
}

/** Writes the file for a run on one machine. */
export async function fileFor(site: PlainSite, node: PlainNode, run: OneRun): Promise<string> {
  const { keadmCmd, defaults, ssh = {}, more } = run;
  if (ssh.port !== undefined) await appendFile(site.sshd.knownHosts, await knownHostLine(site, ssh.port));
  const command = keadmCmd === undefined ? {} : { keadmCmd };
  const content = site.fileFor([node], {
    defaults: { ...defaults, ...command },
    own: { [node.name]: { ssh } },
    ...more,
  });
  return site.controller.write(`${node.name}.yaml`, content);
}

/** A session in which every process sees a clock that is off by so much, such as `-10y`; clocks that only count are right. */
export async function sessionWithClockOff(by: string): Promise<string> {
  await requirePackages(['libfaketime'], unlimited());
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  return `export LD_PRELOAD=${library} FAKETIME=${by} FAKETIME_DONT_FAKE_MONOTONIC=1\n${PLAIN_SESSION}`;
}

/** A folder with these files, all of which can be run. */
export async function folderWith(
  site: PlainSite,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(site.controller.folder, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { mode: 0o755 });
  }
  return folder;
}

/** A keadm that works like the one that was built, and has other bytes. */
export async function otherKeadm({
  controller,
}: PlainSite): Promise<{ readonly path: string; readonly sha256: string }> {
  const path = join(controller.folder, 'other-keadm');
  await copyFile(join(CHECKOUT, 'dist/linux-x64/keadm'), path);
  await appendFile(path, 'another');
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return { path, sha256 };
}

/** The digests of the programs that a machine was sent. */
export async function storedPrograms({ home }: PlainNode): Promise<readonly string[]> {
  const store = join(home, 'var/lib/fenestra/batch/store');
  const digests = await readdir(store).catch(() => []);
  return digests.filter((digest) => existsSync(join(store, digest, 'keadm')));
}

/** A key that no one lets in, and that is not a machine's. */
export async function strangeKey({ controller }: PlainSite): Promise<string> {
  const path = join(controller.folder, 'strange_key');
  await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', path], {}, unlimited());
  return path;
}

/** A file of host keys that has a wrong one of the first machine, and none of the second. */
export async function spoiltKnownHosts(
  site: PlainSite,
  strange: string,
  changed: PlainNode,
  unknown: PlainNode,
): Promise<string> {
  const key = (await readFile(`${strange}.pub`, 'utf8')).split(' ').slice(0, 2).join(' ');
  const lines = (await readFile(site.sshd.knownHosts, 'utf8')).split('\n');
  const kept = lines.filter((line) => ![changed, unknown].some(({ port }) => line.includes(`]:${port} `)));
  const path = join(site.controller.folder, 'spoilt_known_hosts');
  await writeFile(path, [...kept, `[127.0.0.1]:${changed.port} ${key}`, ''].join('\n'));
  return path;
}

/** What a file of host keys says about a port that leads to one of the machines. */
async function knownHostLine({ sshd }: PlainSite, port: number): Promise<string> {
  const key = (await readFile(sshd.hostKey, 'utf8')).split(' ').slice(0, 2).join(' ');
  return `[127.0.0.1]:${port} ${key}\n`;
}
