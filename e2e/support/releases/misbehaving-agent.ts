/**
 * The entry of an executable that looks like a release of ours and is not fit to be an agent.
 * A file on the machine says how: `exit` at once, `hang` without a word to the service manager, `deaf` runs and never
 * connects, `crash` is the real agent, which dies a while after it has connected, `podless` is the real agent, which looks
 * for containers where there is no container runtime.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENT_STATUS_FILE, AgentStatus } from '@fenestra/contracts';
import { buildInfo } from '../../../apps/fenestra/src/build-info.ts';
import { loadRole } from '../../../apps/fenestra/src/role.ts';
import { repairStandardStreams } from '../../../apps/fenestra/src/standard-streams.ts';
import { type Behaviour, BEHAVIOUR_PLACES, BEHAVIOURS } from './behaviour.ts';

const EXIT_CODE = 3;
const ALIVE_AFTER_CONNECTING_MS = 10_000;
const LOOK_MS = 100;
const FOREVER_MS = 2 ** 31 - 1;

async function main(args: readonly string[]): Promise<void> {
  repairStandardStreams();
  const place = Object.values(BEHAVIOUR_PLACES).find(({ file }) => existsSync(file));
  if (args.includes('--version') || place === undefined) return void process.stdout.write(`${buildInfo().version}\n`);
  await misbehave(behaviourIn(place.file), args, place.stateFolder);
}

function behaviourIn(file: string): Behaviour {
  const text = readFileSync(file, 'utf8').trim();
  return BEHAVIOURS.find((behaviour) => behaviour === text) ?? 'exit';
}

async function misbehave(behaviour: Behaviour, args: readonly string[], stateFolder: string): Promise<void> {
  switch (behaviour) {
    case 'exit':
      return process.exit(EXIT_CODE);
    case 'hang':
      return void setInterval(() => {}, FOREVER_MS);
    case 'deaf':
      // An agent without a configuration knows no cloud.
      return playAgent(['--state-folder', stateFolder]);
    case 'crash':
      dieAfterConnecting(stateFolder);
      return playAgent(args);
    case 'podless':
      return playAgent(args.map(withoutRuntime));
  }
}

async function playAgent(args: readonly string[]): Promise<void> {
  const { play } = await loadRole('edgecore');
  process.exitCode = await play(args, buildInfo());
}

/** Another configuration in place of that of the node, beside it. */
function withoutRuntime(word: string): string {
  if (!word.endsWith('edgecore.yaml')) return word;
  const changed = join(dirname(word), 'podless.yaml');
  const text = readFileSync(word, 'utf8').replace(/(containerRuntimeEndpoint: ).*/, '$1unix:///run/no-runtime.sock');
  writeFileSync(changed, text, { mode: 0o600 });
  return changed;
}

function dieAfterConnecting(stateFolder: string): void {
  const watch = setInterval(() => {
    if (!isConnected(stateFolder)) return;
    clearInterval(watch);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ALIVE_AFTER_CONNECTING_MS);
  }, LOOK_MS);
}

/** The file may still be the one of the agent before. */
function isConnected(stateFolder: string): boolean {
  try {
    const status = AgentStatus.parse(JSON.parse(readFileSync(join(stateFolder, AGENT_STATUS_FILE), 'utf8')));
    return status.pid === process.pid && status.connected === true;
  } catch {
    return false;
  }
}

void main(process.argv.slice(2));
