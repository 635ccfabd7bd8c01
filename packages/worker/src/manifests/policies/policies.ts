import { isAtLeast } from '@fenestra/contracts/kube';
import type { KubeObject } from '@fenestra/kube-api';
import { commonLabels, HOST_ACCESS_ALLOWED, HOST_ACCESS_LABEL, podSecurity } from '../parts/labels.ts';
import type { KubernetesVersion } from '../request/supported-version.ts';
import { hostAccessPolicy, type PolicyApi } from './host-access-policy.ts';

/** A place for applications on Windows nodes: nothing in it gets at the host. */
const APPLICATIONS = 'windows-applications';

/** What keeps everybody else from the host, as far as a version of Kubernetes can. */
export function policyObjects(version: KubernetesVersion): readonly KubeObject[] {
  const api = policyApi(version);
  const labels = { ...commonLabels(APPLICATIONS), ...podSecurity('baseline') };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: APPLICATIONS, labels } },
    ...(api === undefined ? [] : hostAccessPolicy(api)),
  ];
}

/** What an administrator has to know about them. */
export function policyNotes(version: KubernetesVersion): readonly string[] {
  if (!isAtLeast(version, POD_SECURITY)) {
    return [
      `Kubernetes ${version} has no Pod Security admission: the labels do nothing. Who may make pods may take over Windows nodes.`,
    ];
  }
  return [
    `In the namespace "${APPLICATIONS}" no pod gets at its host. For another one: kubectl label --overwrite namespace NAME pod-security.kubernetes.io/enforce=baseline`,
    ...admissionNotes(version),
  ];
}

function admissionNotes(version: KubernetesVersion): readonly string[] {
  const api = policyApi(version);
  if (api === undefined) {
    return [
      `Kubernetes ${version} has no ValidatingAdmissionPolicy (1.28 is the first): namespaces without such labels are not protected.`,
    ];
  }
  const allow = `Other HostProcess pods, such as Calico's, are refused from now on. To allow them: kubectl label namespace NAME ${HOST_ACCESS_LABEL}=${HOST_ACCESS_ALLOWED}`;
  if (api === 'v1') return [allow];
  return [
    allow,
    `Kubernetes ${version} takes ValidatingAdmissionPolicy only if its API server has --runtime-config=admissionregistration.k8s.io/v1beta1=true and --feature-gates=ValidatingAdmissionPolicy=true.`,
  ];
}

/** On by default since. */
const POD_SECURITY = 23;

function policyApi(version: KubernetesVersion): PolicyApi | undefined {
  if (isAtLeast(version, 30)) return 'v1';
  return isAtLeast(version, 28) ? 'v1beta1' : undefined;
}
