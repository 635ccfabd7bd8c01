import { mirrorPodProblem, podReferences } from '@fenestra/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInDefinitions } from '../kinds/built-in-definitions.ts';
import { reference, resolveSchema, type Schema } from '../kinds/schema/schema.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

const definitions = builtInDefinitions();

/** Every text in the spec of a pod, as `volumes[].secret.secretName`; `{}` stands for the values of a map. */
const TEXTS = textsIn(reference('io.k8s.api.core.v1.PodSpec'), '');

/** Texts that name an object of the API: all of these have to be found. */
const REFERENCES = new Map([
  ...['containers', 'initContainers', 'ephemeralContainers'].flatMap((list): [string, string][] => [
    [`${list}[].env[].valueFrom.configMapKeyRef.name`, 'ConfigMap'],
    [`${list}[].env[].valueFrom.secretKeyRef.name`, 'Secret'],
    [`${list}[].envFrom[].configMapRef.name`, 'ConfigMap'],
    [`${list}[].envFrom[].secretRef.name`, 'Secret'],
  ]),
  ['imagePullSecrets[].name', 'Secret'],
  ['resourceClaims[].resourceClaimName', 'ResourceClaim'],
  ['resourceClaims[].resourceClaimTemplateName', 'ResourceClaimTemplate'],
  ['schedulingGroup.podGroupName', 'PodGroup'],
  ['serviceAccount', 'ServiceAccount'],
  ['serviceAccountName', 'ServiceAccount'],
  ['volumes[].azureFile.secretName', 'Secret'],
  ['volumes[].cephfs.secretRef.name', 'Secret'],
  ['volumes[].cinder.secretRef.name', 'Secret'],
  ['volumes[].configMap.name', 'ConfigMap'],
  ['volumes[].csi.nodePublishSecretRef.name', 'Secret'],
  ['volumes[].flexVolume.secretRef.name', 'Secret'],
  ['volumes[].glusterfs.endpoints', 'Endpoints'],
  ['volumes[].iscsi.secretRef.name', 'Secret'],
  ['volumes[].persistentVolumeClaim.claimName', 'PersistentVolumeClaim'],
  ['volumes[].projected.sources[].clusterTrustBundle.name', 'ClusterTrustBundle'],
  ['volumes[].projected.sources[].configMap.name', 'ConfigMap'],
  ['volumes[].projected.sources[].secret.name', 'Secret'],
  ['volumes[].rbd.secretRef.name', 'Secret'],
  ['volumes[].scaleIO.secretRef.name', 'Secret'],
  ['volumes[].secret.secretName', 'Secret'],
  ['volumes[].storageos.secretRef.name', 'Secret'],
]);

/** Texts that look like the name of an object and are not, or whose object holds nothing that a pod can read. */
const NO_REFERENCES: readonly RegExp[] = [
  // Parts of the pod itself, of its containers, and of what is written into them.
  /^(hostname|nodeName|schedulerName|subdomain|hostAliases\[\]\.hostnames\[\])$/,
  /ontainers\[\]\.(name|targetContainerName|env\[\]\.name|ports\[\]\.name|volumeDevices\[\]\.name|volumeMounts\[\]\.name)$/,
  /ontainers\[\]\.env\[\]\.valueFrom\.(fieldRef|fileKeyRef|resourceFieldRef)\./,
  /ontainers\[\]\.env\[\]\.valueFrom\.(configMapKeyRef|secretKeyRef)\.key$/,
  /(httpHeaders\[\]\.name|gmsaCredentialSpecName|runAsUserName|resizePolicy\[\]\.resourceName|(^|\.)resources\.claims\[\]\.name)$/,
  /^(dnsConfig\.options|readinessGates|resourceClaims|schedulingGates|volumes|securityContext\.sysctls)\[\]\.name$/,
  /(fieldRef|resourceFieldRef)\.[A-Za-z]+$/,
  /^hostnameOverride$/,
  /^os\.name$/,
  /initiatorName$/,
  // Classes, which have no content.
  /^(priorityClassName|runtimeClassName)$/,
  // Things outside the cluster.
  /^volumes\[\]\.(azureDisk\.diskName|azureFile\.shareName|cephfs\.secretFile|flocker\.datasetName|gcePersistentDisk\.pdName)$/,
  /^volumes\[\]\.(scaleIO\.volumeName|storageos\.volumeName|storageos\.volumeNamespace|vsphereVolume\.storagePolicyName)$/,
  /^volumes\[\]\.image\.reference$/,
  // Signers are not objects; the bundle or the service account is the reference.
  /^volumes\[\]\.projected\.sources\[\]\.(clusterTrustBundle|podCertificate)\.signerName$/,
  // The claim that is made of the template is the reference.
  /^volumes\[\]\.ephemeral\.volumeClaimTemplate\./,
  // Selects pods by labels, and shows none of them.
  /^affinity\./,
];

const LOOKS_LIKE_A_NAME = /(name|ref|reference|secret|configmap|account|claim|bundle|endpoints)s?(\[\])?$/i;

test('every name in the schema of a pod is known to be a reference, or known not to be one', () => {
  const names = TEXTS.filter((path) => LOOKS_LIKE_A_NAME.test(path) && !path.endsWith('{}'));
  const unknown = names.filter((path) => !REFERENCES.has(path) && !NO_REFERENCES.some((known) => known.test(path)));
  expect(unknown).toEqual([]);
  expect([...REFERENCES.keys()].filter((path) => !TEXTS.includes(path))).toEqual([]);
});

test('a text anywhere in a pod is found if and only if it is a reference', () => {
  const found = TEXTS.flatMap((path) => {
    const references = podReferences(podWith([[path, 'marked']])).filter(({ name }) => name === 'marked');
    return references.map(({ kind }) => [path, kind]);
  });
  expect(new Map(found.map(([path = '', kind = '']) => [path, kind]))).toEqual(REFERENCES);
});

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const someReferences = fc.uniqueArray(fc.tuple(fc.constantFrom(...REFERENCES.keys()), name), {
  minLength: 1,
  maxLength: 12,
  selector: ([path]) => path,
});
const otherTexts = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(...TEXTS.filter((path) => !REFERENCES.has(path) && !/ephemeral\.|podCertificate|Token/.test(path))),
    name,
  ),
  { maxLength: 40, selector: ([path]) => path },
);

test('all references of any pod are found, with their kinds, and nothing else', () => {
  fc.assert(
    fc.property(someReferences, otherTexts, (used, others) => {
      const named = podReferences(podWith([...others, ...used])).filter((found) => found.name !== '');
      const expected = used.map(([path, value]) => `${REFERENCES.get(path)}/${value}`);
      expect(new Set(named.map((found) => `${found.kind}/${found.name}`))).toEqual(new Set(expected));
    }),
  );
});

test('a mirror pod with any reference is refused, and one without is not', () => {
  fc.assert(
    fc.property(someReferences, otherTexts, (used, others) => {
      expect(mirrorPodProblem(mirror(podWith([...others, ...used])), 'edge-1')).toContain('reference a ');
    }),
  );
  expect(mirrorPodProblem(mirror({ spec: {} }), 'edge-1')).toBeUndefined();
});

test.each([
  [{ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }] }],
  [{ volumes: [{ name: 'v', projected: { sources: [{ podCertificate: { signerName: 's', keyType: 'k' } }] } }] }],
  [{ volumes: [{ name: 'v', ephemeral: {} }] }],
  [{ volumes: [{ name: 'v', secret: {} }] }],
  [{ volumes: [{ name: 'v' }, { name: 'w', iscsi: { secretRef: {} } }] }],
  [{ imagePullSecrets: [{}] }],
  [{ resourceClaims: [{ name: 'r' }] }],
])('a mirror pod with the spec %j is refused', (spec) => {
  expect(mirrorPodProblem(mirror({ spec }), 'edge-1')).toContain('reference a ');
});

test('the claim of an ephemeral volume is called by the pod and the volume', () => {
  const pod = { metadata: { name: 'web' }, spec: { volumes: [{ name: 'scratch', ephemeral: {} }] } };
  expect(podReferences(pod)).toEqual([{ kind: 'PersistentVolumeClaim', name: 'web-scratch' }]);
});

function mirror({ spec }: { readonly spec: JsonObject }): JsonObject {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'edge-1', uid: 'u', controller: true };
  const metadata = { name: 'm', annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner] };
  return { metadata, spec: { ...spec, nodeName: 'edge-1' } };
}

/** A pod with texts at paths of its schema. Each list has an item for each text, since an item has one source. */
function podWith(texts: readonly (readonly [string, string])[]): { readonly spec: JsonObject } {
  let spec: JsonObject = {};
  for (const [path, text] of texts) {
    const placed = place(path.split('.'), text);
    if (isJsonObject(placed)) spec = merged(spec, placed);
  }
  return { spec };
}

function place([step, ...rest]: readonly string[], text: string): Json {
  if (step === undefined) return text;
  const [, field = '', shape = ''] = /^(.*?)(\[\]|\{\})?$/.exec(step) ?? [];
  const inner = place(rest, text);
  if (shape === '[]') return { [field]: [inner] };
  return { [field]: shape === '{}' ? { key: inner } : inner };
}

function merged(left: JsonObject, right: JsonObject): JsonObject {
  const fields = Object.entries(right).map(([key, value]): [string, Json | undefined] => {
    const present = left[key];
    if (isJsonArray(present) && isJsonArray(value)) return [key, [...present, ...value]];
    return [key, isJsonObject(present) && isJsonObject(value) ? merged(present, value) : value];
  });
  return { ...left, ...Object.fromEntries(fields) };
}

function textsIn(schema: Schema, path: string): readonly string[] {
  const { type, properties, items, additionalProperties } = resolveSchema(schema, definitions);
  const fields = Object.entries(properties ?? {});
  if (fields.length > 0)
    return fields.flatMap(([field, child]) => textsIn(child, path === '' ? field : `${path}.${field}`));
  if (items !== undefined) return textsIn(items, `${path}[]`);
  if (typeof additionalProperties === 'object') return textsIn(additionalProperties, `${path}{}`);
  return type === 'string' ? [path] : [];
}
