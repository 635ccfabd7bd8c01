import { parseQuantity, selectsNode, tolerates } from '@fenestra/contracts/objects';
import { listAt, isJsonObject, stringAt, type JsonObject } from '@fenestra/kernel';
import type { Amounts } from '../environment/resource-fields.ts';
import { hostPorts, portsClash } from '../network/ports.ts';
import { isStaticPod, type Pod } from '../pod/pod.ts';
import { qosOf } from '../resources/container-resources.ts';
import { isCritical } from '../resources/oom-score.ts';
import { milli, podRequest } from '../resources/pod-resources.ts';
import { sysctlProblem } from '../security/sysctls.ts';
import { hostProcessProblem } from '../security/windows-security.ts';

/** What the admission of a pod depends on. */
export interface AdmissionFacts {
  readonly os: 'linux' | 'windows';
  /** The pod and the node as JSON: placement has fields that nothing else on a node reads. */
  readonly podObject: JsonObject;
  readonly node: JsonObject;
  readonly allocatable: Amounts;
  /** The pods that were accepted before and have not ended. */
  readonly accepted: readonly Pod[];
  readonly allowedSysctls: readonly string[];
  readonly hasAppArmor: boolean;
  readonly memoryPressure: boolean;
  readonly diskPressure: boolean;
  readonly shuttingDown: boolean;
  /** Whether containers of the pod run already: then it is not asked again whether it fits. */
  readonly isRunning: boolean;
}

/** Why a pod is never started: it fails with this reason. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** Decides whether a pod may run on this node; undefined if it may. */
export function admitPod(pod: Pod, facts: AdmissionFacts): Rejection | undefined {
  const checks: readonly Check[] = facts.isRunning ? CHECKS_OF_RUNNING : CHECKS;
  for (const check of checks) {
    const rejection = check(pod, facts);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** The order in which pods are asked: those that run first, then the oldest. */
export function admissionOrder(pods: readonly { readonly pod: Pod; readonly isRunning: boolean }[]): readonly Pod[] {
  return pods
    .toSorted((a, b) => Number(b.isRunning) - Number(a.isRunning) || (createdAt(a.pod) < createdAt(b.pod) ? -1 : 1))
    .map(({ pod }) => pod);
}

function createdAt({ metadata }: Pod): string {
  return metadata.creationTimestamp ?? '';
}

type Check = (pod: Pod, facts: AdmissionFacts) => Rejection | undefined;

const CHECKS_OF_RUNNING: readonly Check[] = [checkSystem, checkSecurity];
const CHECKS: readonly Check[] = [
  checkShutdown,
  ...CHECKS_OF_RUNNING,
  checkPressure,
  checkPlacement,
  checkPorts,
  checkResources,
];

function checkShutdown(_: Pod, { shuttingDown }: AdmissionFacts): Rejection | undefined {
  if (!shuttingDown) return undefined;
  return { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
}

function checkSystem({ metadata, spec }: Pod, { os }: AdmissionFacts): Rejection | undefined {
  const asked = spec.os?.name;
  if (asked !== undefined && asked !== os) {
    return {
      reason: 'PodOSNotSupported',
      message: `Failed to admit pod as the OS field doesn't match node OS: "${asked}"`,
    };
  }
  const label = metadata.labels?.['kubernetes.io/os'];
  if (label === undefined || label === os) return undefined;
  const message = `Failed to admit pod as the \`kubernetes.io/os\` label doesn't match node label: "${label}"`;
  return { reason: 'PodOSSelectorNodeLabelDoesNotMatch', message };
}

function checkSecurity(pod: Pod, { os, allowedSysctls, hasAppArmor }: AdmissionFacts): Rejection | undefined {
  if (os === 'windows') {
    const problem = hostProcessProblem(pod);
    return problem === undefined ? undefined : { reason: 'HostProcessInvalid', message: problem };
  }
  const sysctl = sysctlProblem(pod, allowedSysctls);
  if (sysctl !== undefined) return { reason: 'SysctlForbidden', message: sysctl };
  if (hasAppArmor || !asksForAppArmor(pod)) return undefined;
  return { reason: 'AppArmor', message: 'Cannot enforce AppArmor: AppArmor is not enabled on the host' };
}

function asksForAppArmor({ spec }: Pod): boolean {
  const contexts = [
    spec.securityContext,
    ...[...spec.containers, ...(spec.initContainers ?? [])].map(({ securityContext }) => securityContext),
  ];
  return contexts.some((context) => {
    const type = context?.appArmorProfile?.type;
    return type !== undefined && type !== 'Unconfined';
  });
}

function checkPressure(pod: Pod, { memoryPressure, diskPressure }: AdmissionFacts): Rejection | undefined {
  if (isStaticPod(pod) && isCritical(pod)) return undefined;
  const isRefused = diskPressure || (memoryPressure && qosOf(pod) === 'BestEffort');
  if (!isRefused) return undefined;
  const conditions = [...(memoryPressure ? ['MemoryPressure'] : []), ...(diskPressure ? ['DiskPressure'] : [])];
  return { reason: 'Evicted', message: `The node had condition: [${conditions.join(' ')}]. ` };
}

function checkPlacement(_: Pod, { podObject, node }: AdmissionFacts): Rejection | undefined {
  if (!selectsNode(podObject, node)) {
    return {
      reason: 'NodeAffinity',
      message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    };
  }
  const taints = listAt(node, 'spec', 'taints').filter(isJsonObject);
  const taint = taints.find((each) => stringAt(each, 'effect') === 'NoExecute' && !tolerates(podObject, each));
  if (taint === undefined) return undefined;
  const text = `${stringAt(taint, 'key')}: ${stringAt(taint, 'value')}`;
  return {
    reason: 'TaintToleration',
    message: `Predicate TaintToleration failed: node(s) had untolerated taint {${text}}`,
  };
}

function checkPorts(pod: Pod, { accepted }: AdmissionFacts): Rejection | undefined {
  const taken = accepted.flatMap(hostPorts);
  const clash = hostPorts(pod).find((port) => taken.some((other) => portsClash(port, other)));
  if (clash === undefined) return undefined;
  const message = `Predicate NodePorts failed: the port ${clash.hostPort} of the node is taken`;
  return { reason: 'NodePorts', message };
}

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

function checkResources(pod: Pod, { accepted, allocatable }: AdmissionFacts): Rejection | undefined {
  const maxPods = parseQuantity(allocatable['pods'] ?? '');
  if (maxPods !== undefined && accepted.length >= maxPods) return outOf('pods', 1, accepted.length, maxPods);
  for (const resource of RESOURCES) {
    const capacity = parseQuantity(allocatable[resource] ?? '');
    const requested = podRequest(pod.spec, resource);
    if (capacity === undefined || requested === 0) continue;
    const used = accepted.reduce((sum, { spec }) => sum + podRequest(spec, resource), 0);
    const [asked, taken, all] = [requested, used, capacity].map(resource === 'cpu' ? milli : Math.ceil);
    if (asked !== undefined && taken !== undefined && all !== undefined && asked + taken > all) {
      return outOf(resource, asked, taken, all);
    }
  }
  return undefined;
}

function outOf(resource: string, requested: number, used: number, capacity: number): Rejection {
  const amounts = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${amounts}` };
}
