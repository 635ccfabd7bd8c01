/** A test, by its file and by a part of its name that stands in that file. */
export interface Proof {
  readonly file: string;
  readonly test: string;
}

/** A weakness that KubeEdge's own batch command was found to have, and the tests which show that ours does not. */
export interface Finding {
  readonly number: number;
  readonly weakness: string;
  readonly proofs: readonly Proof[];
}

const FLEET = 'e2e/batch/fleet.e2e.test.ts';
const FAULTS = 'e2e/batch/faults.e2e.test.ts';
const DOWNLOAD = 'e2e/batch/download.e2e.test.ts';
const KILLS = 'e2e/batch/kills.e2e.test.ts';
const FILE = 'packages/fleet/src/inventory/upstream-findings.test.ts';
const PROGRAMS = 'apps/keadm/src/batch/programs/program-book.test.ts';

/** All of them, in the order in which they were found. */
export const FINDINGS: readonly Finding[] = [
  finding(1, 'exit code 0 even if every node failed', [FAULTS, 'the exit code says that some failed']),
  finding(
    2,
    'every host key is accepted',
    [FAULTS, 'a machine that is "%s" ends with %s'],
    [FAULTS, '--accept-new takes'],
  ),
  finding(
    3,
    'one hung host blocks the run for ever',
    [FAULTS, 'is given up in time'],
    [FAULTS, 'a command that hangs'],
  ),
  finding(4, 'nothing is tried again', [FAULTS, 'dies in the middle of an upload']),
  finding(5, 'the token is in logs and errors', [FLEET, 'no secret is in anything that was printed or kept']),
  finding(6, 'output of nodes is mixed and not kept', [FAULTS, 'what each node said is kept apart']),
  finding(7, 'an interrupted run leaves an empty log', [KILLS, 'ends with every node joined exactly once']),
  finding(8, 'the log of the last run is overwritten', [FAULTS, 'what an earlier run said is kept as it was']),
  finding(9, 'an empty file crashes it', [FILE, '9: an empty file']),
  finding(
    10,
    'mistakes are found only at run time',
    [FILE, '10: what is missing'],
    [FAULTS, 'a file that is wrong is 60'],
  ),
  finding(11, 'an undefined wildcard reaches the shell', [FILE, '11: a wildcard that is not defined']),
  finding(
    12,
    'the generated file does not work: url',
    [FILE, '12 and 13'],
    ['packages/fleet/src/inventory/example-file.test.ts', 'the example is sound as it stands'],
  ),
  finding(13, 'the generated file does not work: copyFrom', [FILE, '12 and 13']),
  finding(14, 'a planted package in /tmp is used', [PROGRAMS, 'where they are unpacked to is not used']),
  finding(15, 'an error page is taken for a package', [DOWNLOAD, 'an error page is not taken for a program']),
  finding(16, 'a negative maxRunNum crashes it', [FILE, '16: a maxRunNum']),
  finding(
    17,
    'no order, canary or threshold',
    [FLEET, 'a wrong upgrade halts at the canaries'],
    [FLEET, 'an upgrade goes through them in waves'],
  ),
  finding(
    18,
    'Linux only',
    [FLEET, 'one file joins them all'],
    ['packages/fleet/src/delivery/probe.test.ts', 'powershell'],
  ),
  finding(
    19,
    'one way to log in, passwords in clear',
    [FILE, '19: several ways to log in'],
    ['e2e/ssh/ways-in.e2e.test.ts', 'a key with a passphrase'],
    [FAULTS, 'a machine behind another one'],
  ),
  finding(
    20,
    'IPv6 addresses do not work',
    [FILE, '20: the IPv6 address'],
    ['e2e/ssh/ways-in.e2e.test.ts', 'a new machine at an address of IPv6'],
  ),
  finding(
    21,
    'sent again each time, unchecked, rights lost',
    [FLEET, 'a second run finds all as wanted'],
    [FAULTS, 'a secret stays one'],
    ['packages/fleet/src/delivery/posix/scripts.test.ts', 'whose bytes are others than announced'],
  ),
  finding(22, 'a sub-folder of copyFrom fails the node', [FAULTS, 'a folder is copied with all that is in it']),
  finding(
    23,
    'prompts hang',
    [FLEET, 'a reset leaves the cloud empty'],
    ['packages/fleet/src/far-end/words.test.ts', 'a reset is not asked about'],
  ),
  finding(24, 'needs to log in as root', [FLEET, 'one file joins them all'], [FLEET, 'a wrong password for sudo']),
  finding(25, 'leaves its files behind, in a known place', [FLEET, 'nothing of any run on the nodes']),
  finding(
    26,
    'no progress, resume, dry run, result for programs, interruption, proof',
    [KILLS, 'ends with every node joined exactly once'],
    [FLEET, 'the plan says what would happen'],
    [FAULTS, 'an interruption lets the command end'],
  ),
  finding(
    27,
    'needs curl, tar and Linux on the controller',
    [FAULTS, 'needs no other program'],
    [FLEET, 'a Windows machine can be the controller'],
  ),
];

function finding(number: number, weakness: string, ...proofs: readonly (readonly [string, string])[]): Finding {
  return { number, weakness, proofs: proofs.map(([file, test]) => ({ file, test })) };
}
