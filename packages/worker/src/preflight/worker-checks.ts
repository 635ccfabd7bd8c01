import { OperatorError } from '@fenestra/kernel';
import {
  type Check,
  type NamedCheck,
  type NamedFinding,
  requireCheckNames,
  requirePassed,
  runChecks,
} from '@fenestra/session';
import {
  clock,
  containerRuntime,
  disk,
  elevated,
  features,
  forwarding,
  leftoverState,
  memory,
  nodeName,
  osVersion,
  ports,
  swap,
} from '@fenestra/session/checks';
import { drives, kubeletSkew, networkService, programs, service } from './checks.ts';
import type { WorkerSession } from '../worker-session.ts';
import { gatherPreflight, type PreflightAttempt, type PreflightFacts } from './gather-preflight.ts';

type WorkerChecks = readonly Check<PreflightFacts>[];

const MACHINE: WorkerChecks = [
  elevated,
  osVersion,
  features,
  networkService,
  drives,
  memory,
  disk,
  clock,
  containerRuntime,
  programs,
];

/** The checks before a machine is prepared. */
export const PREPARE_CHECKS: WorkerChecks = [...MACHINE, leftoverState];
/** The checks before a machine joins. */
export const KUBE_JOIN_CHECKS: WorkerChecks = [
  ...MACHINE,
  swap,
  forwarding,
  ports,
  leftoverState,
  nodeName,
  kubeletSkew,
];
/** The checks before a change of version. */
export const KUBE_UPGRADE_CHECKS: WorkerChecks = [clock, containerRuntime, kubeletSkew];

/** Makes these checks, and the one that cannot be waived: a service of another owner is left alone. */
export function runWorkerChecks(facts: PreflightFacts, checks: WorkerChecks): readonly NamedFinding[] {
  return runChecks([...checks, service], facts);
}

/** What is about to be done, the checks before it, and those that are waived. */
interface Preflight extends PreflightAttempt {
  readonly checks: WorkerChecks;
  readonly waived: readonly string[];
  /** Completes "Cannot …". */
  readonly activity?: string;
}

/** Makes the checks on this machine. Throws for a failure that is not waived. */
export async function passPreflight(
  session: WorkerSession,
  { checks, waived, activity, ...attempt }: Preflight,
  signal: AbortSignal,
): Promise<readonly NamedFinding[]> {
  const findings = runWorkerChecks(await gatherPreflight(session, attempt, signal), checks);
  requirePassed(findings, waived, activity);
  return findings;
}

const EVERY_CHECK = 'all';

/** The checks that an operator waives, by our names or kubeadm's. `all` must stand alone. */
export function waivedChecks(asked: readonly string[], known: readonly NamedCheck[]): readonly string[] {
  const names = asked.map((name) => name.toLowerCase());
  if (!names.includes(EVERY_CHECK)) {
    const ours = names.map((name) => KUBEADM_NAMES.find(([theirs]) => theirs.test(name))?.[1] ?? name);
    return requireCheckNames(
      ours.filter((name) => name !== NOT_MADE_HERE),
      known,
    );
  }
  if (names.length === 1) return known.map(({ name }) => name);
  throw new OperatorError('USAGE', 'Cannot skip "all" and others beside it', {
    hint: 'Give either "all" alone, or the names of checks.',
  });
}

/** For what kubeadm checks and keadm does not, or checks in a way that cannot be waived. */
const NOT_MADE_HERE = '';

/** kubeadm's names of checks, as scripts have them. */
const KUBEADM_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^isprivilegeduser$/, 'elevated'],
  [/^systemverification$/, 'os-version'],
  [/^(cri|containerruntimeversion)$/, 'container-runtime'],
  [/^fileavailable-/, 'leftover-state'],
  [/^fileexisting-/, 'programs'],
  [/^hostname$/, 'node-name'],
  [/^kubeletversion$/, 'kubelet-version'],
  [/^filecontent-.*forward/, 'forwarding'],
  [/^(httpproxy|httpproxycidr|imagepull|numcpu|mem|service-kubelet|dirnotempty.*|port-(?!10250).*)$/, NOT_MADE_HERE],
];
