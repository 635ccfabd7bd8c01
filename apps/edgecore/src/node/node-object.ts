import type { HostFacts } from '@fenestra/platform';
import type { JsonObject } from '@fenestra/kernel';
import type { NodeSettings } from './node-settings.ts';
import { architectureOf, type NodeStatus } from './node-status.ts';

/** The labels a node registers with: the roles upstream gives it, the system's, and the operator's own. */
export function nodeLabels(settings: NodeSettings, facts: HostFacts): Readonly<Record<string, string>> {
  const architecture = architectureOf(facts);
  const isWindows = facts.os === 'windows';
  return {
    ...settings.labels,
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': facts.os,
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': settings.name,
    'kubernetes.io/os': facts.os,
    'node-role.kubernetes.io/agent': '',
    'node-role.kubernetes.io/edge': '',
    ...(isWindows ? { 'node.kubernetes.io/windows-build': facts.osVersion } : {}),
  };
}

/** The Node a kubelet registers. */
export function nodeObject(settings: NodeSettings, facts: HostFacts, status: NodeStatus): JsonObject {
  const metadata = { name: settings.name, labels: nodeLabels(settings, facts) };
  return { apiVersion: 'v1', kind: 'Node', metadata, spec: nodeSpec(settings), status };
}

function nodeSpec({ taints, schedulable }: NodeSettings): JsonObject {
  const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const all = schedulable ? taints : [...taints, unschedulable];
  return { ...(all.length > 0 ? { taints: all } : {}), ...(schedulable ? {} : { unschedulable: true }) };
}
