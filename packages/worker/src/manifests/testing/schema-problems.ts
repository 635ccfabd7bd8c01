import type { KubeObject } from '@fenestra/kube-api';
import { validate as bindingOfPolicy } from 'kubernetes-models/_schemas/IoK8sApiAdmissionregistrationV1ValidatingAdmissionPolicyBinding';
import { validate as policy } from 'kubernetes-models/_schemas/IoK8sApiAdmissionregistrationV1ValidatingAdmissionPolicy';
import { validate as daemonSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1DaemonSet';
import { validate as configMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap';
import { validate as namespace } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Namespace';
import { validate as serviceAccount } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount';
import { validate as clusterRole } from 'kubernetes-models/_schemas/IoK8sApiRbacV1ClusterRole';
import { validate as clusterRoleBinding } from 'kubernetes-models/_schemas/IoK8sApiRbacV1ClusterRoleBinding';
import { z } from 'zod';

type Validate = typeof daemonSet;

const ADMISSION = 'admissionregistration.k8s.io';

/** What a check leaves with itself. */
const Errors = z.array(
  z
    .object({ instancePath: z.string(), keyword: z.string() })
    .transform(({ instancePath, keyword }) => `${instancePath}: ${keyword}`),
);

/** Kubernetes' own schemas, of 1.36, as checks. */
const SCHEMAS: Readonly<Record<string, Validate>> = {
  'v1 Namespace': namespace,
  'v1 ServiceAccount': serviceAccount,
  'v1 ConfigMap': configMap,
  'apps/v1 DaemonSet': daemonSet,
  'rbac.authorization.k8s.io/v1 ClusterRole': clusterRole,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': clusterRoleBinding,
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy': policy,
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding': bindingOfPolicy,
};

/** Everything in which an object is not as Kubernetes' schema of its kind wants it, fields that it does not know included. */
export function schemaProblems(given: KubeObject): readonly string[] {
  const object = asToday(given);
  const validate = SCHEMAS[`${object.apiVersion} ${object.kind}`];
  if (validate === undefined) return [`no such kind: ${object.apiVersion} ${object.kind}`];
  const unread = new Set<string>();
  const valid = validate(watched(object, '', unread));
  const wrong = valid ? [] : Errors.parse(Reflect.get(validate, 'errors'));
  return [...wrong, ...[...unread].map((path) => `${path}: unknown field`)];
}

/** What was beta in 1.28 and 1.29 has the same fields as it has today. */
function asToday(object: KubeObject): KubeObject {
  const apiVersion = object.apiVersion === `${ADMISSION}/v1beta1` ? `${ADMISSION}/v1` : object.apiVersion;
  return { ...object, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

/**
 * A schema reads every field it knows and takes no notice of others. So what it has not read of an object that it has
 * looked into is a field that Kubernetes does not know.
 */
function watched(value: object, path: string, unread: Set<string>): object {
  for (const field of Object.keys(value)) unread.add(`${path}/${field}`);
  return new Proxy(value, {
    get(target, field, receiver) {
      const found: unknown = Reflect.get(target, field, receiver);
      if (typeof field === 'symbol' || !Object.hasOwn(target, field)) return found;
      unread.delete(`${path}/${field}`);
      return typeof found === 'object' && found !== null ? watched(found, `${path}/${field}`, unread) : found;
    },
  });
}
