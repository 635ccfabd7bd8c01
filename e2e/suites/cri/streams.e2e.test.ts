import { GRPC_STATUS } from '@fenestra/cri';
import { type ContainerEventResponse, ContainerEventType } from '@fenestra/cri/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectedBed, RELEASES, startConnected } from './pod-life.ts';

const { signal } = new AbortController();

const LIFE = [
  'sandbox CREATED',
  'sandbox STARTED',
  'container CREATED',
  'container STARTED',
  'container STOPPED',
  'sandbox STOPPED',
  'container DELETED',
  'sandbox DELETED',
];

/** Prints what each channel of a stream carried. The built-in client of Node.js, because it has to run beside the pods. */
const READ_STREAM = `
const socket = new WebSocket(process.argv[1], ['v4.channel.k8s.io']);
const channels = {};
socket.binaryType = 'arraybuffer';
socket.onmessage = ({ data }) => {
  const [channel, ...text] = Buffer.from(data);
  channels[channel] = (channels[channel] ?? '') + Buffer.from(text).toString();
};
socket.onerror = () => (channels.failed = true);
socket.onclose = () => console.log(JSON.stringify(channels));
`;

describe.each(RELEASES)('containerd (%s)', (release) => {
  let bed: ConnectedBed;
  beforeAll(async () => {
    bed = await startConnected(release, signal);
  });
  afterAll(async () => bed.stop());

  /** What came over a stream, by channel. */
  async function readStream(url: string): Promise<unknown> {
    const argv = [process.execPath, '--eval', READ_STREAM, url.replace('http:', 'ws:')];
    return JSON.parse((await bed.cage.run(argv, {}, signal)).stdout);
  }

  test('the address of a command’s stream is good for one connection, in the network of the runtime', async () => {
    const pod = await bed.pod('streams');
    const containerId = await pod.run('work', 'sleep 1000');
    const cmd = ['sh', '-c', 'echo out; echo err >&2; exit 5'];
    const url = await bed.runtime.exec({ containerId, cmd, stdout: true, stderr: true }, signal);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/exec\/[\w-]+$/);
    const channels = { 1: 'out\n', 2: 'err\n', 3: expect.stringContaining('"message":"5"') };
    expect(await readStream(url)).toMatchObject(channels);
    expect(await readStream(url)).toEqual({ failed: true });
    expect(await bed.runtime.attach({ containerId, stdout: true }, signal)).toContain('/attach/');
    expect(await bed.runtime.portForward({ podSandboxId: pod.sandbox, port: [80] }, signal)).toContain('/portforward/');
    await pod.remove();
  });

  test('events report the life of a pod in its order, where the runtime has them', async (context) => {
    if (await hasNoEvents()) context.skip('containerd 1.6 has no events');
    const listener = await listening();
    const pod = await bed.pod('watched');
    const container = await pod.run('work', 'exit 0');
    const reported = (): readonly string[] => listener.seen.flatMap((event) => titleOf(event, pod.sandbox, container));
    await expect.poll(reported).toContain('container STOPPED');
    await pod.remove();
    await expect.poll(reported).toContain('sandbox DELETED');
    expect(reported()).toEqual(LIFE);
    listener.leave();
    await expect(listener.ended).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });

  test('a stream of events ends with an error when the runtime is killed', async (context) => {
    if (await hasNoEvents()) context.skip('containerd 1.6 has no events');
    const { ended } = await listening();
    const lost = expect(ended).rejects.toMatchObject({ name: 'ConnectionLost' });
    await bed.kill();
    await lost;
    await bed.start();
  });

  test('a runtime without events says so', async (context) => {
    if (!(await hasNoEvents())) context.skip('it has events');
    const refused = { name: 'GrpcFailure', status: GRPC_STATUS.UNIMPLEMENTED };
    await expect(listen().ended).rejects.toMatchObject(refused);
  });

  async function hasNoEvents(): Promise<boolean> {
    return (await bed.runtime.version(signal)).version.startsWith('1.6.');
  }

  /** Listens, and returns when events arrive: a runtime does not say when a listener is known to it. */
  async function listening(): Promise<Listener> {
    const listener = listen();
    while (listener.seen.length === 0) {
      const pod = await bed.pod('probe');
      await pod.remove();
    }
    return listener;
  }

  function listen(): Listener {
    const controller = new AbortController();
    const seen: ContainerEventResponse[] = [];
    async function read(): Promise<void> {
      for await (const event of bed.runtime.events(controller.signal)) seen.push(event);
    }
    const ended = read();
    ended.catch(() => undefined);
    return { seen, ended, leave: () => controller.abort() };
  }
});

interface Listener {
  readonly seen: readonly ContainerEventResponse[];
  /** Why the stream ended. */
  readonly ended: Promise<void>;
  leave(): void;
}

function titleOf(event: ContainerEventResponse, sandbox: string, container: string): string[] {
  const { containerId, containerEventType } = event;
  const type = ContainerEventType[containerEventType].replace(/^CONTAINER_|_EVENT$/g, '');
  if (containerId === sandbox) return [`sandbox ${type}`];
  return containerId === container ? [`container ${type}`] : [];
}
