import { isAtLeast } from '@fenestra/contracts/kube';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import { commonLabels, HOST_ACCESS_ALLOWED, HOST_ACCESS_LABEL, podSecurity } from './part.ts';
import type { KubernetesVersion } from './manifest-request.ts';

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

const NAME = 'windows-host-access';

type PolicyApi = 'v1' | 'v1beta1';

/** Refuses HostProcess pods and host pipes in namespaces that may not use them, and nothing else. */
function hostAccessPolicy(api: PolicyApi): readonly KubeObject[] {
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

/** A pod cannot change later but for ephemeral containers. All other changes must pass, or it cannot be deleted. */
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
