/**
 * The entry of an executable that stands in for a kubelet: it says its version, notes beside itself with which arguments
 * it was started and how it was instructed to end, and crashes when a file says so. It knows no cluster and runs no pods.
 */
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { repairStandardStreams } from '../../../../apps/fenestra/src/standard-streams.ts';
import { CRASH_EXIT_CODE, CRASH_FILE, NOTES_FILE, STAND_IN_VERSION } from './stand-in.ts';

repairStandardStreams();

const LOOK_MS = 100;
const args = process.argv.slice(2);
const crashFile = `${process.execPath}${CRASH_FILE}`;

function note(line: string): void {
  appendFileSync(`${process.execPath}${NOTES_FILE}`, `${line}\n`);
}

function serve(): void {
  note(`started ${process.pid} ${JSON.stringify(args)}`);
  process.stderr.write('I1115 the stand-in runs\n');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const) {
    process.on(signal, () => {
      note('asked to end');
      process.exit(0);
    });
  }
  setInterval(() => {
    if (!existsSync(crashFile)) return;
    rmSync(crashFile);
    process.exit(CRASH_EXIT_CODE);
  }, LOOK_MS);
}

if (args.includes('--version')) process.stdout.write(`Kubernetes ${STAND_IN_VERSION}\n`);
else serve();
