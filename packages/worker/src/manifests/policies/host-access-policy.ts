import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import { commonLabels, HOST_ACCESS_ALLOWED, HOST_ACCESS_LABEL } from '../parts/labels.ts';

const NAME = 'windows-host-access';

/** In which version of its API a cluster takes such a policy. */
export type PolicyApi = 'v1' | 'v1beta1';

/**
 * Keeps every namespace that is not allowed to from HostProcess pods and from the host's pipes. Pod Security admission
 * can do so only together with much else; this forbids nothing but the two.
 */
export function hostAccessPolicy(api: PolicyApi): readonly KubeObject[] {
  const apiVersion = `admissionregistration.k8s.io/${api}`;
  const metadata = { name: NAME, labels: commonLabels(NAME) };
  const namespaceSelector = {
    matchExpressions: [{ key: HOST_ACCESS_LABEL, operator: 'NotIn', values: [HOST_ACCESS_ALLOWED] }],
  };
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: { failurePolicy: 'Fail', matchConstraints: { resourceRules: RESOURCES }, validations: validations() },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: NAME, validationActions: ['Deny', 'Audit'], matchResources: { namespaceSelector } },
    },
  ];
}

const pods = (resource: string, operation: string): JsonObject => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: [operation],
  resources: [resource],
});

/**
 * What matters of a pod cannot be changed later, except that ephemeral containers come to it. Changes of anything else
 * must go through, or a pod that was there before could not even be cleared away.
 */
const RESOURCES: readonly JsonObject[] = [pods('pods', 'CREATE'), pods('pods/ephemeralcontainers', 'UPDATE')];

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

const NO_HOST_PROCESS = `HostProcess pods are for namespaces with the label ${HOST_ACCESS_LABEL}=${HOST_ACCESS_ALLOWED}`;
const NO_PIPES = `the host's pipes are for namespaces with the label ${HOST_ACCESS_LABEL}=${HOST_ACCESS_ALLOWED}`;

function validations(): readonly JsonObject[] {
  const lists = CONTAINER_LISTS.map((list) => everyOne(`object.spec.${list}`, isNoHostProcess('each')));
  return [
    ...[isNoHostProcess('object.spec'), ...lists].map((expression) => forbid(expression, NO_HOST_PROCESS)),
    forbid(everyOne('object.spec.volumes', isNoPipe('each')), NO_PIPES),
  ];
}

function forbid(expression: string, message: string): JsonObject {
  return { expression, message, reason: 'Forbidden' };
}

function everyOne(list: string, condition: string): string {
  return `!has(${list}) || ${list}.all(each, ${condition})`;
}

function isNoHostProcess(subject: string): string {
  const options = `${subject}.securityContext.windowsOptions`;
  const missing = [`${subject}.securityContext`, options, `${options}.hostProcess`].map((path) => `!has(${path})`);
  return [...missing, `!${options}.hostProcess`].join(' || ');
}

/** Windows takes both slashes and any case, and reaches pipes by `\\.\pipe\`, `\\host\pipe\` and `\\?\GLOBALROOT\Device\NamedPipe\`. */
function isNoPipe(volume: string): string {
  const path = String.raw`${volume}.hostPath.path.replace('\\', '/').lowerAscii()`;
  return `!has(${volume}.hostPath) || !${path}.matches('${PIPE}')`;
}

const PIPE = '^//.*/(named)?pipe(/|$)';
