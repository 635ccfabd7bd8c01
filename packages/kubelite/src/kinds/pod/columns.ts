import { listAt, type JsonObject, numberAt, objectsAt, stringAt, valueAt } from '../../objects/json.ts';
import type { KubeObject } from '../../objects/kube-object.ts';
import { AGE, column, NAME, NONE, orNone, wideColumn } from '../../printing/columns.ts';

/** What `kubectl get pods` shows. */
export const POD_COLUMNS = [
  NAME,
  column('Ready', 'Containers that are ready, of all', readyCount),
  column('Status', 'What the pod is doing', podStatus),
  column('Restarts', 'How often its containers were started again', restarts),
  AGE,
  wideColumn('IP', 'Address of the pod', (pod) => orNone(stringAt(pod, 'status', 'podIP'))),
  wideColumn('Node', 'Where the pod runs', (pod) => orNone(stringAt(pod, 'spec', 'nodeName'))),
  wideColumn('Nominated Node', 'Where the pod may go', (pod) => orNone(stringAt(pod, 'status', 'nominatedNodeName'))),
  wideColumn('Readiness Gates', 'Further conditions for the pod to be ready', readinessGates),
];

function readyCount(pod: KubeObject): string {
  const ready = objectsAt(pod, 'status', 'containerStatuses').filter((status) => status['ready'] === true);
  return `${ready.length}/${listAt(pod, 'spec', 'containers').length}`;
}

function restarts(pod: KubeObject): string {
  const counts = objectsAt(pod, 'status', 'containerStatuses').map((status) => numberAt(status, 'restartCount'));
  return String(counts.reduce((sum, count) => sum + count, 0));
}

/** The most telling word about a pod: what its containers wait for says more than its phase. */
export function podStatus(pod: KubeObject): string {
  const phase = stringAt(pod, 'status', 'reason') || stringAt(pod, 'status', 'phase') || 'Unknown';
  if (pod.metadata.deletionTimestamp !== undefined) {
    return stringAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
  }
  return initStatus(pod) ?? containerStatus(pod) ?? phase;
}

function initStatus(pod: KubeObject): string | undefined {
  const statuses = objectsAt(pod, 'status', 'initContainerStatuses');
  const open = statuses.findIndex((status) => valueAt(status, 'state', 'terminated', 'exitCode') !== 0);
  const current = statuses[open];
  if (current === undefined) return undefined;
  const reason = reasonOf(current);
  const plain = reason === undefined || reason === 'PodInitializing';
  return plain ? `Init:${open}/${listAt(pod, 'spec', 'initContainers').length}` : `Init:${reason}`;
}

function containerStatus(pod: KubeObject): string | undefined {
  const statuses = objectsAt(pod, 'status', 'containerStatuses');
  const reasons = statuses.map((status) => reasonOf(status)).filter((reason) => reason !== undefined);
  const running = statuses.some(
    (status) => valueAt(status, 'state', 'running') !== undefined && status['ready'] === true,
  );
  const [first] = reasons;
  return first === 'Completed' && running ? 'Running' : first;
}

function reasonOf(status: JsonObject): string | undefined {
  const waiting = stringAt(status, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting;
  const terminated = valueAt(status, 'state', 'terminated');
  if (terminated === undefined) return undefined;
  const signal = numberAt(terminated, 'signal');
  return (
    stringAt(terminated, 'reason') || (signal > 0 ? `Signal:${signal}` : `ExitCode:${numberAt(terminated, 'exitCode')}`)
  );
}

function readinessGates(pod: KubeObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates').map((gate) => gate['conditionType']);
  const held = objectsAt(pod, 'status', 'conditions').filter(
    (condition) => gates.includes(condition['type']) && condition['status'] === 'True',
  );
  return gates.length === 0 ? NONE : `${held.length}/${gates.length}`;
}
