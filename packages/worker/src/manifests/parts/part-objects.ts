import type { KubeObject } from '@fenestra/kube-api';
import type { ManifestRequest } from '../request/manifest-request.ts';
import { daemonSet } from './daemon-set.ts';
import { commonLabels, HOST_ACCESS_ALLOWED, HOST_ACCESS_LABEL, podSecurity } from './labels.ts';
import type { Part } from './part.ts';
import { kubeconfig } from './pod-access.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** All objects of a part, in the order of installation. */
export function partObjects(part: Part, { version, apiServer }: ManifestRequest): readonly KubeObject[] {
  const { name } = part;
  const metadata = { name, namespace: name, labels: commonLabels(name) };
  const files = { ...part.files, kubeconfig: kubeconfig(apiServer) };
  return [
    namespace(name),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    ...accessRules(part),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files },
    daemonSet({ ...part, files }, version),
  ];
}

function namespace(name: string): KubeObject {
  const labels = { ...commonLabels(name), ...podSecurity('privileged'), [HOST_ACCESS_LABEL]: HOST_ACCESS_ALLOWED };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

function accessRules({ name, rights }: Part): readonly KubeObject[] {
  const metadata = { name, labels: commonLabels(name) };
  const own =
    'rules' in rights ? [{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules: rights.rules }] : [];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'rules' in rights ? name : rights.clusterRole };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: name }];
  return [...own, { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata, roleRef, subjects }];
}
