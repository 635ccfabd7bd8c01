import { apiVersionOf, KINDS, type ApiKind, type KubeObject } from '@fenestra/kube-api';

const ADMISSION = 'admissionregistration.k8s.io';

const policyKinds = (version: string): readonly ApiKind[] =>
  [
    { kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
    { kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' },
  ].map((names) => ({ ...names, group: ADMISSION, version, namespaced: false }));

/** The kinds that only these manifests have. */
const OWN_KINDS: readonly ApiKind[] = [
  { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
  ...policyKinds('v1'),
  ...policyKinds('v1beta1'),
];

/** The kind of a manifest, by the names its URL is made of. */
export function kindOf({ apiVersion, kind }: KubeObject): ApiKind {
  const kinds = [...Object.values(KINDS), ...OWN_KINDS];
  const found = kinds.find((known) => apiVersionOf(known) === apiVersion && known.kind === kind);
  if (found === undefined) throw new Error(`no such kind: ${apiVersion} ${kind}`);
  return found;
}
