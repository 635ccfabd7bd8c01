import * as z from 'zod/mini';
import { Container } from './container-fields.ts';
import { flag, integer, pathName, quantities, text, textMap, texts } from './scalars.ts';
import { PodSecurityContext } from './security-fields.ts';
import { PodStatus } from './status-fields.ts';
import { Volume } from './volume-fields.ts';

const named = z.exactOptional(z.array(z.object({ name: z.prefault(z.string(), '') })));

const DnsConfig = z.object({
  nameservers: texts,
  searches: texts,
  options: z.exactOptional(z.array(z.object({ name: text, value: text }))),
});

const PodSpec = z.object({
  activeDeadlineSeconds: integer,
  containers: z.array(Container).check(z.minLength(1)),
  initContainers: z.exactOptional(z.array(Container)),
  ephemeralContainers: z.exactOptional(z.array(Container)),
  dnsConfig: z.exactOptional(DnsConfig),
  dnsPolicy: z.string(),
  enableServiceLinks: z.boolean(),
  hostAliases: z.exactOptional(z.array(z.object({ ip: z.string(), hostnames: texts }))),
  hostIPC: flag,
  hostNetwork: flag,
  hostPID: flag,
  hostUsers: flag,
  hostname: text,
  imagePullSecrets: named,
  nodeName: text,
  nodeSelector: textMap,
  os: z.exactOptional(z.object({ name: z.string() })),
  overhead: quantities,
  priority: integer,
  priorityClassName: text,
  readinessGates: z.exactOptional(z.array(z.object({ conditionType: z.string() }))),
  restartPolicy: z.enum(['Always', 'OnFailure', 'Never']),
  runtimeClassName: text,
  securityContext: PodSecurityContext,
  serviceAccountName: text,
  setHostnameAsFQDN: flag,
  shareProcessNamespace: flag,
  subdomain: text,
  terminationGracePeriodSeconds: z.int(),
  volumes: z.exactOptional(z.array(Volume)),
});
export type PodSpec = z.infer<typeof PodSpec>;

/** A pod, as far as a node reads it. */
export const Pod = z.object({
  metadata: z.object({
    name: pathName,
    namespace: pathName,
    uid: pathName,
    annotations: textMap,
    creationTimestamp: text,
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: text,
    labels: textMap,
  }),
  spec: PodSpec,
  status: z.exactOptional(PodStatus),
});
export type Pod = z.infer<typeof Pod>;

/** `namespace/name` of a pod. */
export function podKey({ metadata }: Pod): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The annotation that says where the definition of a pod comes from. */
export const SOURCE_ANNOTATION = 'kubernetes.io/config.source';

/** Whether a pod comes from a file of this node and not from the API. */
export function isStaticPod({ metadata }: Pod): boolean {
  const source = metadata.annotations?.[SOURCE_ANNOTATION];
  return source !== undefined && source !== 'api';
}

/** Whether an init container is a sidecar: it keeps running beside the regular containers. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}
