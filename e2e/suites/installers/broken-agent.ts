/** The entry of an executable whose keadm is like any other, and whose agent ends as soon as it is started. */
import { buildInfo } from '../../../apps/fenestra/src/build-info.ts';
import { loadRole } from '../../../apps/fenestra/src/role.ts';
import { pickRole } from '../../../apps/fenestra/src/role.ts';
import { repairStandardStreams } from '../../../apps/fenestra/src/standard-streams.ts';

const EXIT_CODE = 3;

async function main(): Promise<void> {
  repairStandardStreams();
  const { role, args } = pickRole(process.argv0, process.argv.slice(2));
  if (role === 'edgecore' && !args.includes('--version')) process.exit(EXIT_CODE);
  const { play } = await loadRole(role);
  process.exitCode = await play(args, buildInfo());
}

void main();
