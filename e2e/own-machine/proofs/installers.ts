import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OWN_VERSION } from '../../support/releases/versions.ts';
import { awaitNode, cloudHere, requireNoNode } from '../node-here.ts';
import type { Proof, ProofKit } from '../proof.ts';
import { runHere } from '../run-here.ts';
import { say } from '../say.ts';

const FOLDER = 'C:\\Program Files\\Fenestra';
const PROGRAM = `${FOLDER}\\keadm.exe`;
const UNINSTALLER = `${FOLDER}\\uninstall.exe`;
const PATIENCE_MS = 60_000;
const UNINSTALL_MS = 2 * 60_000;
/** What Windows Installer says if a file that was in use goes at the next start. */
const FINE = [0, 3010];

/** How one kind of installer is called. */
interface Kind {
  readonly install: (later: boolean, properties: readonly string[]) => readonly string[];
  readonly uninstall: (properties: readonly string[]) => readonly string[];
}

/** Both installers join, upgrade in place and leave nothing, silently. */
export const installers: Proof = {
  name: 'installers',
  async prove(kit) {
    const folder = await mkdtemp(join(tmpdir(), 'fenestra-token-'));
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, await cloudHere(kit.keadm));
    const properties = ['CLOUDCORE_IP=127.0.0.1', `TOKEN_FILE=${tokenFile}`, 'SKIP_CHECK=container-runtime'];
    try {
      for (const kind of [setup(kit), msi(kit)]) await proveKind(kind, properties, kit.laterVersion);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

function setup({ setup: own, laterSetup }: ProofKit): Kind {
  return {
    install: (later, properties) => [later ? laterSetup : own, ...words(properties)],
    uninstall: (properties) => [UNINSTALLER, ...words(properties)],
  };
}

function words(properties: readonly string[]): readonly string[] {
  return ['/S', ...properties.map((each) => `/${each}`)];
}

function msi({ msi: own, laterMsi }: ProofKit): Kind {
  return {
    install: (later, properties) => ['msiexec', '/i', later ? laterMsi : own, '/qn', ...properties],
    uninstall: (properties) => ['msiexec', '/x', laterMsi, '/qn', ...properties],
  };
}

async function proveKind(kind: Kind, properties: readonly string[], laterVersion: string): Promise<void> {
  await mustRun(kind.install(false, properties));
  await awaitNode(PROGRAM, OWN_VERSION, PATIENCE_MS);
  await mustRun(kind.install(true, []));
  await awaitNode(PROGRAM, laterVersion, PATIENCE_MS);
  await mustRun(kind.uninstall(['RESET_NODE=1']));
  await awaitGone();
  await requireNoNode();
}

async function mustRun([program = '', ...args]: readonly string[]): Promise<void> {
  say(`  ${[program, ...args].join(' ')}`);
  const { exitCode } = await runHere(program, args);
  assert.ok(FINE.includes(exitCode), `"${program}" ended with ${exitCode}`);
}

/** An uninstaller that is a program goes on in a copy of itself. The cloud on this machine keeps its addon in the folder. */
async function awaitGone(): Promise<void> {
  const end = Date.now() + UNINSTALL_MS;
  for (const file of [PROGRAM, UNINSTALLER]) {
    while (existsSync(file)) {
      assert.ok(Date.now() < end, `"${file}" is still there`);
      await delay(500);
    }
  }
}
