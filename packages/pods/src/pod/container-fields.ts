import * as z from 'zod/mini';
import { flag, integer, pathName, quantities, Quantity, text, texts } from './scalars.ts';
import { SecurityContext } from './security-fields.ts';

const portReference = z.union([z.int(), z.string()]);

const HttpGet = z.object({
  host: text,
  path: text,
  port: portReference,
  scheme: text,
  httpHeaders: z.exactOptional(z.array(z.object({ name: z.string(), value: z.prefault(z.string(), '') }))),
});

const actions = {
  exec: z.exactOptional(z.object({ command: texts })),
  httpGet: z.exactOptional(HttpGet),
  tcpSocket: z.exactOptional(z.object({ host: text, port: portReference })),
};

/** What a lifecycle hook does. */
export const LifecycleHandler = z.object({ ...actions, sleep: z.exactOptional(z.object({ seconds: z.int() })) });
export type LifecycleHandler = z.infer<typeof LifecycleHandler>;

/** A probe, with the numbers of its schedule. */
export const Probe = z.object({
  ...actions,
  grpc: z.exactOptional(z.object({ port: z.int(), service: text })),
  initialDelaySeconds: z.prefault(z.int(), 0),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
  successThreshold: z.int(),
  failureThreshold: z.int(),
  terminationGracePeriodSeconds: integer,
});
export type Probe = z.infer<typeof Probe>;

const KeyReference = z.object({ name: z.prefault(z.string(), ''), key: z.string(), optional: flag });

/** A field of a pod. */
export const FieldReference = z.object({ fieldPath: z.string() });

/** A resource of a container. */
export const ResourceReference = z.object({
  containerName: text,
  resource: z.string(),
  divisor: z.exactOptional(Quantity),
});
export type ResourceReference = z.infer<typeof ResourceReference>;

const EnvironmentVariable = z.object({
  name: z.string(),
  value: text,
  valueFrom: z.exactOptional(
    z.object({
      configMapKeyRef: z.exactOptional(KeyReference),
      secretKeyRef: z.exactOptional(KeyReference),
      fieldRef: z.exactOptional(FieldReference),
      resourceFieldRef: z.exactOptional(ResourceReference),
    }),
  ),
});
export type EnvironmentVariable = z.infer<typeof EnvironmentVariable>;

const ObjectReference = z.object({ name: z.prefault(z.string(), ''), optional: flag });

const EnvironmentSource = z.object({
  prefix: text,
  configMapRef: z.exactOptional(ObjectReference),
  secretRef: z.exactOptional(ObjectReference),
});

export type EnvironmentSource = z.infer<typeof EnvironmentSource>;

const VolumeMount = z.object({
  name: z.string(),
  mountPath: z.string(),
  readOnly: flag,
  recursiveReadOnly: text,
  mountPropagation: text,
  subPath: text,
  subPathExpr: text,
});
export type VolumeMount = z.infer<typeof VolumeMount>;

const ContainerPort = z.object({
  name: text,
  containerPort: z.int(),
  hostPort: integer,
  hostIP: text,
  protocol: z.enum(['TCP', 'UDP', 'SCTP']),
});
export type ContainerPort = z.infer<typeof ContainerPort>;

const Resources = z.object({ limits: quantities, requests: quantities });

/** A container of any role: regular, init or ephemeral. */
export const Container = z.object({
  name: pathName,
  image: z.prefault(z.string(), ''),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
  command: texts,
  args: texts,
  workingDir: text,
  env: z.exactOptional(z.array(EnvironmentVariable)),
  envFrom: z.exactOptional(z.array(EnvironmentSource)),
  ports: z.exactOptional(z.array(ContainerPort)),
  resources: Resources,
  volumeMounts: z.exactOptional(z.array(VolumeMount)),
  livenessProbe: z.exactOptional(Probe),
  readinessProbe: z.exactOptional(Probe),
  startupProbe: z.exactOptional(Probe),
  lifecycle: z.exactOptional(
    z.object({ postStart: z.exactOptional(LifecycleHandler), preStop: z.exactOptional(LifecycleHandler) }),
  ),
  securityContext: z.exactOptional(SecurityContext),
  restartPolicy: text,
  terminationMessagePath: z.string(),
  terminationMessagePolicy: z.string(),
  stdin: flag,
  stdinOnce: flag,
  tty: flag,
  /** Ephemeral containers only: the container whose processes this one sees. */
  targetContainerName: text,
});
export type Container = z.infer<typeof Container>;
