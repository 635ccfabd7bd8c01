import type { BatchNodeState } from '@fenestra/fleet';
import type { ErrorCode } from '@fenestra/kernel';

/** Something that is wrong with a machine or the way to it, and how `keadm batch` ends there. */
export interface Fault {
  /** What the suite calls it. */
  readonly name: string;
  readonly wrong: string;
  readonly end: FaultEnd;
  /** A part of the name of the test in `FAULTS_FILE` that shows it. */
  readonly test: string;
}

/** What a user sees at the end: the exit code of the run, where the node stands, and why if not well. */
export interface FaultEnd {
  readonly exitCode: number;
  readonly state: BatchNodeState;
  readonly code?: ErrorCode;
}

/** The suite that makes each of these faults and compares how it ends with what is said here. */
export const FAULTS_FILE = 'e2e/suites/batch/faults.e2e.test.ts';

const EACH_IN_ONE_RUN = 'a machine that is "%s" ends with %s';
const WELL: FaultEnd = { exitCode: 0, state: 'done' };

/** All of them, in the order in which the suite makes them. */
export const FAULTS: readonly Fault[] = [
  fault('refuses', 'Nothing listens at its port', unreachable('REMOTE_UNREACHABLE'), EACH_IN_ONE_RUN),
  fault('says-nothing', 'It takes the connection and says nothing', unreachable('REMOTE_TIMEOUT'), EACH_IN_ONE_RUN),
  fault('changed-key', 'Its host key is another one than is known', failed('HOST_KEY_CHANGED'), EACH_IN_ONE_RUN),
  fault('unknown-key', 'Its host key is unknown', failed('HOST_KEY_UNKNOWN'), EACH_IN_ONE_RUN),
  fault('wrong-login', 'It does not let this key in', failed('REMOTE_AUTH'), EACH_IN_ONE_RUN),
  fault('new key, --accept-new', 'Its host key is unknown, with `--accept-new`', WELL, '--accept-new takes'),
  fault('black hole', 'Nothing ever comes back from its address', unreachable('REMOTE_TIMEOUT'), 'is given up in time'),
  fault('dies in mid-upload', 'It dies in the middle of an upload, twice', WELL, 'dies in the middle of an upload'),
  fault('full disk', 'Its disk has no room', failed('DISK_FULL'), 'a disk without room for it is found'),
  fault('disk fills up', 'Its disk fills up in the middle of an upload', failed('DISK_FULL'), 'a disk that fills up'),
  fault('command hangs', 'The command hangs there', failed('REMOTE_TIMEOUT'), 'a command that hangs is ended'),
  fault('connection cut in the command', 'The connection is cut while the command runs', WELL, 'has begun is resumed'),
  fault(
    'cloud answers later',
    'The cloud does not answer at first, and keadm is killed between two tries and resumed',
    WELL,
    'a cloud that answers only after a while',
  ),
  fault(
    'few tools, much noise',
    'It has no tar, gzip, curl or digests, but a banner and a talkative profile',
    WELL,
    'a machine without tar, gzip, curl and digests',
  ),
  fault(
    'clock ten years behind',
    'Its clock is ten years behind',
    failed('REMOTE_COMMAND_FAILED'),
    'a clock that is years off',
  ),
  fault(
    'interrupted twice',
    'Ctrl-C is pressed twice while the command runs',
    { exitCode: 130, state: 'rolled-back' },
    'an interruption lets the command end',
  ),
  fault(
    'resumed by another keadm',
    'keadm is killed while the command runs, and another build of it resumes',
    WELL,
    'a run that another keadm goes on with',
  ),
];

function fault(name: string, wrong: string, end: FaultEnd, test: string): Fault {
  return { name, wrong, end, test };
}

function failed(code: ErrorCode): FaultEnd {
  return { exitCode: 101, state: 'failed', code };
}

function unreachable(code: ErrorCode): FaultEnd {
  return { exitCode: 101, state: 'unreachable', code };
}
