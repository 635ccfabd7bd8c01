import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePackages } from '../../e2e/support/beds/debian-packages.ts';
import { startSshd, type SshdMachine } from '../../e2e/support/beds/sshd-bed.ts';
import { farEndScript, NODE_FOLDERS, statusScript, type TargetHabits } from './far-end-scripts.ts';
import { makePayload, type Payload } from './payload.ts';

/** Real sshd targets, and what is brought to them. */
export interface Site {
  /** For files of the controllers, removed at the end. */
  readonly folder: string;
  readonly payload: Payload;
  readonly machines: readonly SshdMachine[];
  readonly login: Login;
  /** Removes what a method has left on the targets, and gives them their habits. */
  clear(habits: TargetHabits): void;
  close(): Promise<void>;
}

/** How every target is logged in to. */
export interface Login {
  readonly user: string;
  readonly keyFile: string;
  readonly knownHosts: string;
  /** The public key of every target. */
  readonly hostKey: string;
}

/** In memory, so that no method waits for the disk of this machine, which all targets share. */
const MEMORY = '/dev/shm';

/** bash reads the account's settings for every command that comes by ssh: those of this machine's are no one's matter. */
const PLAIN_ACCOUNT: readonly string[] = ['SetEnv HOME=/nonexistent'];

/** What the methods need besides sshd. */
const PACKAGES: readonly string[] = ['ansible-core', 'curl', 'openssl'];

/** Starts so many targets. */
export async function openSite(targets: number): Promise<Site> {
  const { signal } = new AbortController();
  await requirePackages(PACKAGES, signal);
  if (existsSync(MEMORY)) process.env['TMPDIR'] = MEMORY;
  const folder = mkdtempSync(join(tmpdir(), 'bench-batch-'));
  // What the targets take for their running agent.
  const agent = spawn('sleep', ['3600'], { argv0: 'edgecore', stdio: 'ignore' });
  const bed = await startSshd({ machines: targets, extraConfig: PLAIN_ACCOUNT }, signal);
  const { machines, user, keyFile, knownHosts, hostKey } = bed;
  const site: Site = {
    folder,
    payload: makePayload(folder),
    machines,
    login: { user, keyFile, knownHosts, hostKey },
    clear(habits) {
      for (const { home } of machines) {
        for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
        for (const below of NODE_FOLDERS) mkdirSync(join(home, below), { recursive: true });
        writeFileSync(join(home, 'far-end'), farEndScript(agent.pid ?? 0));
        writeFileSync(join(home, 'status'), statusScript(habits));
      }
    },
    async close() {
      agent.kill();
      await bed.stop();
      rmSync(folder, { recursive: true });
    },
  };
  return site;
}
