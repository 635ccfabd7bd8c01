import { isSea } from 'node:sea';
import { setFlagsFromString } from 'node:v8';
import { buildInfo } from './build-info.ts';
import { loadRole, pickRole } from './role.ts';
import { reportUnhandledErrors } from './unhandled-errors.ts';
import { ignoreRuntimeVariables } from './runtime-variables.ts';
import { repairStandardStreams } from './standard-streams.ts';

const LINGER_MS = 1_000;

/** The executable's entry: picks the role, loads it and nothing else, and ends when the role has ended. */
async function main(): Promise<void> {
  if (isSea()) ignoreRuntimeVariables();
  repairStandardStreams();
  const { role, args } = pickRole(process.argv0, process.argv.slice(2));
  if (role === 'edgecore') limitYoungGeneration();
  const { play } = await loadRole(role);
  endWith(await play(args, buildInfo()));
}

/**
 * Each call to a container runtime leaves garbage behind that lives as long as the space for new objects is not full. If
 * that space grows from its 1 MB, as usual, 60,000 calls take 232 MB, and 124 MB if it does not. Its limit cannot be set any
 * more when a program runs, only how it grows.
 */
function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the process end by itself: `process.exit` can wait for ever for a worker of V8 that waits for us. Only what still
 * lingers after a while is cut off, because a service manager waits for the process to go once the role is over.
 */
function endWith(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

reportUnhandledErrors();
void main();
