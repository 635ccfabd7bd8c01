import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Container, ContainerState, type PodSandbox } from '@fenestra/cri/messages';
import { type JsonObject, KINDS, type KubeObject, listAt, stringAt, valueAt } from '@fenestra/kube-api';
import { expect, vi } from 'vitest';
import { POD_IMAGE } from '../beds/test-images.ts';
import { NAMESPACE } from './manifests.ts';
import { PATIENCE, unlimited } from './patience.ts';
import { POD_NODE, type PodCloud } from './pod-cloud.ts';

/** The pods of a test, by their names in the default namespace. */
export interface TestPods {
  create(name: string, spec: JsonObject, metadata?: JsonObject): Promise<KubeObject>;
  /** Creates a pod with one container, `main`, that runs a shell script. */
  runScript(name: string, script: string, spec?: JsonObject, container?: JsonObject): Promise<KubeObject>;
  find(name: string): Promise<KubeObject | undefined>;
  /** Waits until the status of a pod contains this, and returns the pod. */
  untilStatus(name: string, status: object, timeoutMs?: number): Promise<KubeObject>;
  untilRunning(name: string): Promise<KubeObject>;
  /** Asks for the deletion of a pod, with a grace period in seconds. */
  delete(name: string, graceSeconds?: number): Promise<void>;
  untilGone(name: string): Promise<void>;
  /** What a container wrote to its standard output and error, from the file of the runtime. */
  output(name: string, container?: string, attempt?: number): Promise<string>;
  /** When an instance of the container `main` wrote its first line, in milliseconds since 1970. */
  startedAt(name: string, attempt: number): Promise<number>;
  /** Waits until a pod has succeeded, and returns the output of its container `main`. */
  resultOf(name: string): Promise<string>;
  /** Runs a shell script once, in a pod with one container, and returns its output. */
  runOnce(name: string, script: string, spec?: JsonObject, container?: JsonObject): Promise<string>;
  /** Runs a shell command in a running container and returns its output. */
  exec(name: string, script: string, container?: string): Promise<string>;
  /** What the runtime has of a pod, asked besides the agent. */
  containersOf(name: string): Promise<readonly Container[]>;
  sandboxesOf(name: string): Promise<readonly PodSandbox[]>;
}

const EXEC_SECONDS = 20;

/** A script that runs until it receives SIGTERM. */
export const SLEEP = 'trap "exit 0" TERM; while :; do sleep 0.2; done';

/** A container that runs a shell script. */
export function scriptContainer(name: string, script: string, more: JsonObject = {}): JsonObject {
  return { name, image: POD_IMAGE, command: ['/bin/sh', '-c', script], ...more };
}

function at(name: string): { readonly namespace: string; readonly name: string } {
  return { namespace: NAMESPACE, name };
}

function labelsOf(name: string): Record<string, string> {
  return { 'io.kubernetes.pod.name': name };
}

/** The pods of a test in a cloud. */
export function testPods({ api, cri, nodeRoot }: Pick<PodCloud, 'api' | 'cri' | 'nodeRoot'>): TestPods {
  const signal = unlimited();
  const find = async (name: string): Promise<KubeObject | undefined> => api.find(KINDS.pod, at(name), signal);
  const create: TestPods['create'] = async (name, spec, metadata = {}) =>
    api.create(KINDS.pod, podManifest(name, spec, metadata), signal);
  const runScript: TestPods['runScript'] = async (name, script, spec = {}, container = {}) =>
    create(name, { containers: [scriptContainer('main', script, container)], ...spec });
  const untilStatus: TestPods['untilStatus'] = async (name, status, timeout = PATIENCE.timeout) =>
    vi.waitFor(
      async () => {
        const pod = await find(name);
        expect(pod?.['status']).toMatchObject(status);
        if (pod === undefined) throw new Error(`There is no pod "${name}"`);
        return pod;
      },
      { timeout, interval: 100 },
    );
  const logOf = async (name: string, container: string, attempt: number): Promise<readonly string[]> => {
    const folder = `${NAMESPACE}_${name}_${(await find(name))?.metadata.uid ?? ''}`;
    return readLines(join(nodeRoot, 'var/log/pods', folder, container, `${attempt}.log`));
  };
  const output: TestPods['output'] = async (name, container = 'main', attempt = 0) =>
    (await logOf(name, container, attempt)).map((line) => line.split(' ').slice(3).join(' ')).join('\n');
  const resultOf: TestPods['resultOf'] = async (name) => {
    const ended = expect.stringMatching(/^(Succeeded|Failed)$/);
    expect((await untilStatus(name, { phase: ended }))['status']).toMatchObject({ phase: 'Succeeded' });
    return output(name);
  };
  return {
    create,
    runScript,
    find,
    untilStatus,
    untilRunning: async (name) => untilStatus(name, { phase: 'Running', conditions: expect.arrayContaining([READY]) }),
    delete: async (name, gracePeriodSeconds = 0) => api.delete(KINDS.pod, at(name), { gracePeriodSeconds }, signal),
    untilGone: async (name) => vi.waitFor(async () => expect(await find(name)).toBeUndefined(), PATIENCE),
    output,
    async startedAt(name, attempt) {
      const [first = ''] = await logOf(name, 'main', attempt);
      const time = Date.parse(first.split(' ')[0] ?? '');
      if (Number.isNaN(time)) throw new Error(`Instance ${attempt} of "${name}" has written no line yet`);
      return time;
    },
    resultOf,
    async runOnce(name, script, spec, container) {
      await runScript(name, script, { restartPolicy: 'Never', ...spec }, container);
      return resultOf(name);
    },
    async exec(name, script, container = 'main') {
      const found = await cri.listContainers(
        { labelSelector: labelsOf(name), state: { state: ContainerState.CONTAINER_RUNNING } },
        signal,
      );
      const { id = '' } = found.find(({ metadata }) => metadata?.name === container) ?? {};
      const { stdout, stderr, exitCode } = await cri.execSync(id, ['/bin/sh', '-c', script], EXEC_SECONDS, signal);
      if (exitCode !== 0) throw new Error(`"${script}" ended with ${exitCode}: ${Buffer.from(stderr).toString()}`);
      return Buffer.from(stdout).toString();
    },
    containersOf: async (name) => cri.listContainers({ labelSelector: labelsOf(name) }, signal),
    sandboxesOf: async (name) => cri.listSandboxes({ labelSelector: labelsOf(name) }, signal),
  };
}

const READY: unknown = expect.objectContaining({ type: 'Ready', status: 'True' });

function podManifest(name: string, spec: JsonObject, metadata: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE, ...metadata },
    spec: { nodeName: POD_NODE, terminationGracePeriodSeconds: 1, ...spec },
  };
}

/** The lines of a log: each begins with a time, a stream and a tag. */
async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}

/** How often the containers of a pod were restarted, by the name of the container. */
export function restartCounts(pod: KubeObject | undefined): Readonly<Record<string, unknown>> {
  const statuses = listAt(pod, 'status', 'containerStatuses');
  return Object.fromEntries(statuses.map((status) => [stringAt(status, 'name'), valueAt(status, 'restartCount')]));
}
