import { setFlagsFromString } from 'node:v8';
import { buildInfo } from './build-info.ts';
import { loadRole } from './load-role.ts';
import { pickRole } from './role.ts';

/** The executable's entry: picks the role, loads it and nothing else, and ends when the role has ended. */
async function main(): Promise<void> {
  const { role, args } = pickRole(process.argv0, process.argv.slice(2));
  if (role === 'edgecore') keepSmall();
  const { play } = await loadRole(role);
  // Whatever still lingers, a service manager waits for the process to go once the role is over.
  process.exit(await play(args, buildInfo()));
}

/** An agent idles most of the time: a second optimizing compiler costs more memory than it saves time. */
function keepSmall(): void {
  setFlagsFromString('--no-maglev');
}

void main();
