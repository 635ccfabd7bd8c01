/**
 * The messages of the Container Runtime Interface that the life of a node needs. Field numbers are those of
 * https://github.com/kubernetes/cri-api/blob/master/pkg/apis/runtime/v1/api.proto; `v1alpha2` has the same ones.
 */
import {
  joinFields,
  mapOf,
  messagesOf,
  numberField,
  numberOf,
  type ProtobufField,
  readFields,
  textField,
  textOf,
} from './protobuf.ts';

/** Who answers at an endpoint. */
export interface RuntimeVersion {
  /** `containerd`, `cri-o`. */
  readonly name: string;
  /** `1.6.20`. */
  readonly version: string;
}

/** Something a runtime says about itself, such as `RuntimeReady` and `NetworkReady`. */
export interface RuntimeCondition {
  readonly type: string;
  readonly holds: boolean;
  readonly reason: string;
  readonly message: string;
}

/** What holds the containers of a pod together. */
export interface PodSandbox {
  readonly id: string;
  readonly ready: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** A container, in the sandbox of its pod. */
export interface PodContainer {
  readonly id: string;
  readonly sandboxId: string;
  readonly running: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

const SANDBOX_READY = 0;
const CONTAINER_RUNNING = 1;

/** A request without anything in it: `Version`, `Status`, `ListPodSandbox`, `ListContainers`. */
export function emptyRequest(): Uint8Array {
  return new Uint8Array();
}

/** A request that names one thing: to remove a container, or to stop or remove a sandbox. */
export function idRequest(id: string): Uint8Array {
  return textField(1, id);
}

/** The request to stop a container; once the grace is over it is killed. */
export function stopContainerRequest(id: string, graceSeconds: number): Uint8Array {
  return joinFields(textField(1, id), numberField(2, graceSeconds));
}

/** The answer to `Version`. */
export function readVersion(answer: Uint8Array): RuntimeVersion {
  const fields = readFields(answer);
  return { name: textOf(fields, 2), version: textOf(fields, 3) };
}

/** The answer to `Status`. */
export function readConditions(answer: Uint8Array): readonly RuntimeCondition[] {
  const [status = []] = messagesOf(readFields(answer), 1);
  return messagesOf(status, 1).map((condition) => ({
    type: textOf(condition, 1),
    holds: numberOf(condition, 2) === 1,
    reason: textOf(condition, 3),
    message: textOf(condition, 4),
  }));
}

/** The answer to `ListPodSandbox`. */
export function readSandboxes(answer: Uint8Array): readonly PodSandbox[] {
  return messagesOf(readFields(answer), 1).map((sandbox: readonly ProtobufField[]) => ({
    id: textOf(sandbox, 1),
    ready: numberOf(sandbox, 3) === SANDBOX_READY,
    labels: mapOf(sandbox, 5),
  }));
}

/** The answer to `ListContainers`. */
export function readContainers(answer: Uint8Array): readonly PodContainer[] {
  return messagesOf(readFields(answer), 1).map((container) => ({
    id: textOf(container, 1),
    sandboxId: textOf(container, 2),
    running: numberOf(container, 6) === CONTAINER_RUNNING,
    labels: mapOf(container, 8),
  }));
}
