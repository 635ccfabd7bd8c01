import type { Proof } from '../../support/reporting/proofs.ts';

/** A weakness that KubeEdge's own batch command was found to have, and the tests which show that ours does not. */
export interface Finding {
  readonly number: number;
  readonly weakness: string;
  /** What ours does instead, in Markdown. */
  readonly ours: string;
  readonly proofs: readonly Proof[];
}

const FLEET = 'e2e/suites/batch/fleet.e2e.test.ts';
const FAULTS = 'e2e/suites/batch/faults.e2e.test.ts';
const DOWNLOAD = 'e2e/suites/batch/download.e2e.test.ts';
const KILLS = 'e2e/suites/batch/kills.e2e.test.ts';
const CONTROL = 'e2e/suites/batch/control.e2e.test.ts';
const FILE = 'packages/fleet/src/inventory/upstream-findings.test.ts';
const PROGRAMS = 'apps/keadm/src/batch/programs/program-book.test.ts';

/** All of them, in the order in which they were found. */
export const FINDINGS: readonly Finding[] = [
  finding(
    1,
    [
      'exit code 0 even if every node failed',
      'The exit code is 101 if a node failed or could not be reached, 102 after a halt, 130 after an interruption',
    ],
    [FAULTS, 'the exit code says that some failed'],
  ),
  finding(
    2,
    [
      'every host key is accepted',
      'A host key that is unknown or has changed is refused; `--accept-new` takes and records those of new machines, never a changed one',
    ],
    [FAULTS, 'a machine that is "%s" ends with %s'],
    [FAULTS, '--accept-new takes'],
  ),
  finding(
    3,
    [
      'one hung host blocks the run for ever',
      'Connecting and the command have limits; at its limit a command is ended with all that it has started, and other nodes do not wait for it',
    ],
    [FAULTS, 'is given up in time'],
    [FAULTS, 'a command that hangs'],
  ),
  finding(
    4,
    ['nothing is tried again', 'What may succeed later is tried again, after growing delays'],
    [FAULTS, 'dies in the middle of an upload'],
  ),
  finding(
    5,
    ['the token is in logs and errors', 'What the file calls a secret is `***` in everything that is printed or kept'],
    [FLEET, 'no secret is in anything that was printed or kept'],
  ),
  finding(
    6,
    [
      'output of nodes is mixed and not kept',
      "Each node has a separate log in the run's folder, and each line for people begins with the time and the node",
    ],
    [FAULTS, 'what each node said is kept apart'],
  ),
  finding(
    7,
    [
      'an interrupted run leaves an empty log',
      'Every change of state is on the disk before anything follows from it, and `keadm batch resume` goes on from there, doing nothing twice',
    ],
    [KILLS, 'ends with every node joined exactly once'],
  ),
  finding(
    8,
    ['the log of the last run is overwritten', 'Every run has a separate folder'],
    [FAULTS, 'what an earlier run said is kept as it was'],
  ),
  finding(
    9,
    ['an empty file crashes it', 'It is reported as an empty file, with exit code 60'],
    [FILE, '9: an empty file'],
  ),
  finding(
    10,
    [
      'mistakes are found only at run time',
      'All mistakes are reported together, each with its line, before anything is connected to',
    ],
    [FILE, '10: what is missing'],
    [FAULTS, 'a file that is wrong is 60'],
  ),
  finding(
    11,
    ['an undefined wildcard reaches the shell', 'It is a mistake in the file, and no shell ever reads the command'],
    [FILE, '11: a wildcard that is not defined'],
  ),
  finding(
    12,
    [
      'the generated file does not work: url',
      'An empty `url` means that none is given, and the generated file is sound as it stands',
    ],
    [FILE, '12 and 13'],
    ['packages/fleet/src/inventory/example-file.test.ts', 'the example is sound as it stands'],
  ),
  finding(
    13,
    ['the generated file does not work: copyFrom', 'An empty `copyFrom` means that nothing is copied'],
    [FILE, '12 and 13'],
  ),
  finding(
    14,
    ['a planted package in /tmp is used', 'What already lies where a package is unpacked to is refused'],
    [PROGRAMS, 'where they are unpacked to is not used'],
  ),
  finding(
    15,
    [
      'an error page is taken for a package',
      'It is refused with `RELEASE_INVALID`, as is a package with other bytes than its checksum says',
    ],
    [DOWNLOAD, 'an error page is not taken for a program'],
    [DOWNLOAD, 'an archive with other bytes than its checksum says'],
  ),
  finding(
    16,
    ['a negative maxRunNum crashes it', 'Less than one, or more than makes sense, is a mistake in the file'],
    [FILE, '16: a maxRunNum'],
  ),
  finding(
    17,
    [
      'no order, canary or threshold',
      'Waves, with canaries and thresholds: a wrong upgrade halts at the canaries, is rolled back there and does not reach other nodes',
    ],
    [FLEET, 'a wrong upgrade halts at the canaries'],
    [FLEET, 'an upgrade goes through them in waves'],
  ),
  finding(
    18,
    ['Linux only', 'Linux and Windows, distinguished by what the shell there answers'],
    [FLEET, 'one file joins them all'],
    ['packages/fleet/src/delivery/find-system.test.ts', 'the answer %j'],
  ),
  finding(
    19,
    [
      'one way to log in, passwords in clear',
      'Keys with passphrases, agents, answers to questions and jump hosts, tried in the order given; passwords may come from the environment or from files',
    ],
    [FILE, '19: several ways to log in'],
    ['e2e/suites/ssh/ways-in.e2e.test.ts', 'a key with a passphrase'],
    [FAULTS, 'a machine behind another one'],
  ),
  finding(
    20,
    ['IPv6 addresses do not work', 'They work, with brackets or without'],
    [FILE, '20: the IPv6 address'],
    ['e2e/suites/ssh/ways-in.e2e.test.ts', 'a new machine at an address of IPv6'],
  ),
  finding(
    21,
    [
      'sent again each time, unchecked, rights lost',
      'What a node has already is not sent again; what is sent is checked by its digest; files keep their rights',
    ],
    [FLEET, 'a second run finds all up to date'],
    [FAULTS, 'a secret stays one'],
    ['packages/fleet/src/delivery/posix/scripts.test.ts', 'whose bytes are others than announced'],
  ),
  finding(
    22,
    ['a sub-folder of copyFrom fails the node', 'A folder is copied with all that is in it'],
    [FAULTS, 'a folder is copied with all that is in it'],
  ),
  finding(
    23,
    ['prompts hang', 'Nothing is asked on a node'],
    [FLEET, 'a reset leaves the cloud empty'],
    ['apps/keadm/src/cli/command-effect.test.ts', 'a reset is not asked about'],
  ),
  finding(
    24,
    [
      'needs to log in as root',
      'Any account that may use sudo or doas will do; a wrong password for sudo is reported as such after a single try',
    ],
    [FLEET, 'one file joins them all'],
    [FLEET, 'a wrong password for sudo'],
    ['e2e/suites/batch/doas.e2e.test.ts', 'an account that doas lets in'],
  ),
  finding(
    25,
    [
      'leaves its files behind, in a known place',
      "A run's folder and its processes are gone from a node when the run has ended; programs stay in a store, so that they need not be sent again",
    ],
    [FLEET, 'nothing of any run on the nodes'],
  ),
  finding(
    26,
    [
      'no progress, resume, dry run, result for programs, interruption, proof',
      'A live picture, `resume`, `plan`, events and reports as JSON, `pause`, `hold` and `abort`, Ctrl-C that holds and then undoes, and a proof that each node works',
    ],
    [KILLS, 'ends with every node joined exactly once'],
    [FLEET, 'the plan says what would happen'],
    [FAULTS, 'an interruption lets the command end'],
    [CONTROL, 'a run is paused, goes on and is held by commands'],
    [CONTROL, 'a run is aborted by a command'],
  ),
  finding(
    27,
    [
      'needs curl, tar and Linux on the controller',
      'keadm needs no other program, and the controller may be a Windows machine',
    ],
    [FAULTS, 'needs no other program'],
    [FLEET, 'a Windows machine can be the controller'],
  ),
];

function finding(
  number: number,
  [weakness, ours]: readonly [string, string],
  ...proofs: readonly (readonly [string, string])[]
): Finding {
  return { number, weakness, ours, proofs: proofs.map(([file, test]) => ({ file, test })) };
}
