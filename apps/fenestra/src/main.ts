import { buildInfo } from './build-info.ts';
import { loadRole } from './load-role.ts';
import { pickRole } from './role.ts';

/** The executable's entry: picks the role, loads it and nothing else, and ends when the role has ended. */
async function main(): Promise<void> {
  const { role, args } = pickRole(process.argv0, process.argv.slice(2));
  const { play } = await loadRole(role);
  // Whatever still lingers, a service manager waits for the process to go once the role is over.
  process.exit(await play(args, buildInfo()));
}

void main();
