import * as z from 'zod/mini';
import { flag, text } from './scalars.ts';

const Terminated = z.object({
  containerID: text,
  exitCode: z.int(),
  finishedAt: text,
  message: text,
  reason: text,
  startedAt: text,
});
export type Terminated = z.infer<typeof Terminated>;

const ContainerState = z.object({
  running: z.exactOptional(z.object({ startedAt: text })),
  terminated: z.exactOptional(Terminated),
  waiting: z.exactOptional(z.object({ message: text, reason: text })),
});
export type ContainerState = z.infer<typeof ContainerState>;

const ContainerStatus = z.object({
  name: z.string(),
  containerID: text,
  image: z.prefault(z.string(), ''),
  imageID: z.prefault(z.string(), ''),
  lastState: z.prefault(ContainerState, {}),
  ready: z.prefault(z.boolean(), false),
  restartCount: z.prefault(z.int(), 0),
  started: flag,
  state: z.prefault(ContainerState, {}),
});
export type ContainerStatus = z.infer<typeof ContainerStatus>;

const PodCondition = z.object({
  type: z.string(),
  status: z.string(),
  lastProbeTime: text,
  lastTransitionTime: text,
  message: text,
  reason: text,
});
export type PodCondition = z.infer<typeof PodCondition>;

/** The phases of a pod. The last two are never left. */
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';

const statuses = z.exactOptional(z.array(ContainerStatus));
const addresses = z.exactOptional(z.array(z.object({ ip: z.string() })));

/** The status of a pod, as far as a node writes it. */
export const PodStatus = z.object({
  phase: z.prefault(z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']), 'Pending'),
  reason: text,
  message: text,
  startTime: text,
  qosClass: text,
  hostIP: text,
  hostIPs: addresses,
  podIP: text,
  podIPs: addresses,
  conditions: z.exactOptional(z.array(PodCondition)),
  containerStatuses: statuses,
  initContainerStatuses: statuses,
  ephemeralContainerStatuses: statuses,
});
export type PodStatus = z.infer<typeof PodStatus>;
