import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { type CachedFolder, cached } from './cache.ts';
import type { Cage } from './cage.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { buildDebianBase, type DebianBase } from './debian-base.ts';
import { requirePackages } from './debian-packages.ts';
import { timed } from './progress.ts';

/** The folder inside the node that Wine takes for the whole Windows machine: registry and drive C. */
export const PREFIX = '/windows';

/** Wine's server: one per running Windows node. */
export const WINESERVER = '/usr/lib/wine/wineserver';

// Debian 12's own Wine 8 cannot run Node.js 24 and does not notice when a service dies; Debian 13's Wine 10 does both.
const DEBIAN: DebianBase = { release: 'trixie', include: [], install: ['wine', 'wine64', 'ca-certificates'] };

// What turns an empty prefix into the template of all nodes. `null` graphics: no one looks at these machines.
const SETUP: readonly (readonly string[])[] = [
  ['wineboot', '--init'],
  ['wine', 'winecfg', '-v', 'win10'],
  ['wine', 'reg', 'add', 'HKCU\\Software\\Wine\\Drivers', '/v', 'Graphics', '/d', 'null', '/f'],
  [WINESERVER, '-w'],
];

const BASE: CachedFolder = {
  name: 'wine',
  recipe: [JSON.stringify(DEBIAN), JSON.stringify(SETUP), PREFIX],
  build: async (folder, signal) => buildDebianBase(DEBIAN, folder, async (cage) => setUp(cage, folder, signal), signal),
};

/** Makes the base of all Windows nodes, once per machine and recipe, and returns its folder. */
export async function prepareWine(signal: AbortSignal): Promise<string> {
  await requirePackages(['debootstrap', 'util-linux', 'hostname'], signal);
  return cached(BASE, signal);
}

/** The environment every Windows program of a node starts from; nothing of the test process's own leaks in. */
export function wineEnvironment(): Readonly<Record<string, string>> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    WINEPREFIX: PREFIX,
    WINEDEBUG: '-all',
    DISPLAY: '',
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
  };
}

async function setUp(cage: Cage, folder: string, signal: AbortSignal): Promise<void> {
  const inside = ['chroot', folder, ...cleanEnvironment(wineEnvironment())];
  await timed('making the Windows template', async () => {
    for (const step of SETUP) {
      const result = await cage.run([...inside, ...step], { timeoutMs: 120_000 }, signal);
      if (result.exitCode !== 0) throw notSetUp(step, result.stderr);
    }
  });
  await rm(join(folder, 'tmp/.wine-0'), { recursive: true, force: true });
  requireRegistry(folder);
}

// Wine's own tools answer 0 even where they did nothing, so the effect is looked at.
function requireRegistry(folder: string): void {
  const registry = readFileSync(join(folder, PREFIX, 'system.reg'), 'latin1');
  if (/"CurrentBuildNumber"="19\d{3}"/.test(registry)) return;
  throw notSetUp(['winecfg'], 'the registry does not say Windows 10');
}

function notSetUp(step: readonly string[], said: string): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot set up Wine: "${step.join(' ')}" failed`, {
    hint: `Read what it said: ${said.slice(-500)}`,
  });
}
