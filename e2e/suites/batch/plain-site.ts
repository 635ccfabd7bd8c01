import { readdir, writeFile } from 'node:fs/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { killNow } from '../../support/beds/process-tree.ts';
import { type SshdBed, type SshdMachine, type SshdOptions, startSshd } from '../../support/beds/sshd-bed.ts';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { type Controller, openController } from './controller.ts';
import { commandLineOf } from './fleet-node.ts';
import { joinCommand, keyAuth } from './fleet-site.ts';

/** A port of an SSH server that stands for a machine, whose node is below the home folder. */
export interface PlainNode extends SshdMachine {
  readonly name: string;
}

/** A cloud, many plain SSH servers, and the operator's machine. */
export interface PlainSite {
  readonly cloud: Cloud;
  readonly sshd: SshdBed;
  readonly controller: Controller;
  readonly nodes: readonly PlainNode[];
  readonly token: string;
  /** The words that join a machine. */
  readonly joining: string;
  /** What a batch file says about these nodes: joining, unless a node says something else. */
  fileFor(nodes: readonly PlainNode[], more?: SiteFile): object;
  /** What is always said on the command line. */
  readonly flags: readonly string[];
  stop(): Promise<void>;
}

/** What else a batch file says. */
interface SiteFile extends Readonly<Record<string, unknown>> {
  readonly defaults?: object;
  /** By name. */
  readonly own?: Readonly<Record<string, object>>;
}

/** What a session runs where nothing else is wanted. */
export const PLAIN_SESSION = 'exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n';

/** Starts so many machines. */
export async function startPlainSite(
  machines: number,
  options: Omit<SshdOptions, 'machines'> = {},
): Promise<PlainSite> {
  const cloud = await startEmbeddedCloud();
  const sshd = await startSshd({ machines, shell: '/bin/sh "$HOME/session"', ...options }, unlimited());
  const token = await cloud.token();
  const controller = await openController({ KEADM_TOKEN: token });
  const nodes = sshd.machines.map((machine, index) => ({
    ...machine,
    name: `edge-${String(index + 1).padStart(2, '0')}`,
  }));
  for (const node of nodes) await setShell(node, PLAIN_SESSION);
  return {
    cloud,
    sshd,
    controller,
    nodes,
    token,
    joining: joiningWords(cloud),
    flags: ['--runs', controller.runs, '--known-hosts', sshd.knownHosts],
    fileFor: (chosen, more) => fileOf({ cloud, sshd }, chosen, more),
    async stop() {
      endAllBelow(sshd.folder);
      await controller.close();
      await sshd.stop();
      await cloud.stop();
    },
  };
}

/** What a session on this machine runs; the command is in `$SSH_ORIGINAL_COMMAND`. */
export async function setShell({ home }: SshdMachine, script: string): Promise<void> {
  await writeFile(join(home, 'session'), script);
}

/** How often a node was joined, by its own journals. */
export async function joinsOf({ home }: SshdMachine): Promise<number> {
  const names = await readdir(join(home, 'var/lib/fenestra/journal')).catch(() => []);
  return names.filter((name) => name.endsWith('-keadm-join.journal')).length;
}

/** What batch runs have left on a machine: their folders, and processes of theirs. */
export async function leftBelow({ home }: SshdMachine): Promise<readonly string[]> {
  const folders = await readdir(join(home, 'var/lib/fenestra/batch/runs')).catch(() => []);
  const running = processesBelow(home).map(commandLineOf);
  return [...folders, ...running.filter((line) => line.includes('far-end'))];
}

function fileOf(
  { cloud, sshd }: Pick<PlainSite, 'cloud' | 'sshd'>,
  nodes: readonly PlainNode[],
  { defaults = {}, own = {}, ...more }: SiteFile = {},
): object {
  return {
    keadm: { cmdTplArgs: { token: 'env:KEADM_TOKEN' } },
    halt: {},
    defaults: {
      keadmCmd: joiningWords(cloud),
      ssh: { username: sshd.user, auth: keyAuth(sshd.keyFile) },
      retries: { attempts: 3, firstDelay: '1s', longestDelay: '1s' },
      ...defaults,
    },
    nodes: nodes.map(({ name, host, port, home }) => ({
      nodeName: name,
      cmdTplArgs: { root: home },
      ...own[name],
      ssh: { ip: host, port, ...sshOf(own[name]) },
    })),
    ...more,
  };
}

function joiningWords(cloud: Cloud): string {
  return `${joinCommand(cloud)} --skip-check ports --root {{root}}`;
}

function sshOf(own: object = {}): object {
  return 'ssh' in own && typeof own.ssh === 'object' && own.ssh !== null ? own.ssh : {};
}

/** Nodes go on when the connections end that made them. */
function endAllBelow(folder: string): void {
  for (const pid of processesBelow(folder)) killNow(pid);
}

/** Everything whose command line names this folder. */
function processesBelow(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => commandLineOf(pid).includes(folder) || environOf(pid).includes(`HOME=${folder}/`));
}

function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
