import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { METHODS } from './codec.ts';
import { socketPathOf } from './endpoint.ts';
import { openGrpcChannel } from './grpc/channel.ts';
import { type CallLimit, deadline, heartbeat } from './limits.ts';

/** The versions of the interface, which differ only in their name. Kubernetes itself no longer supports the older one. */
export type CriVersion = 'v1' | 'v1alpha2';

/** Picks one of the calls of the interface, with the messages that it takes and gives. */
type MethodChoice<Kind, In extends DescMessage, Out extends DescMessage> = (methods: typeof METHODS) => {
  readonly methodKind: Kind;
  readonly input: In;
  readonly output: Out;
  readonly name: string;
  readonly parent: { readonly name: string };
};

/** The calls of the interface, with their messages and limits. */
export interface RuntimeCalls {
  /** What the runtime is spoken to as. */
  speaks: CriVersion;
  call<In extends DescMessage, Out extends DescMessage>(
    choice: MethodChoice<'unary', In, Out>,
    request: MessageInitShape<In>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<MessageShape<Out>>;
  /** One that may take as long as it needs, while the runtime answers other calls. */
  longCall<In extends DescMessage, Out extends DescMessage>(
    choice: MethodChoice<'unary', In, Out>,
    request: MessageInitShape<In>,
    signal: AbortSignal,
  ): Promise<MessageShape<Out>>;
  /** The same with many answers, over a separate connection. */
  stream<In extends DescMessage, Out extends DescMessage>(
    choice: MethodChoice<'server_streaming', In, Out>,
    request: MessageInitShape<In>,
    signal: AbortSignal,
  ): AsyncGenerator<MessageShape<Out>, void>;
  /** Ends and removes the task of a container by containerd's own interface, which is at the same endpoint. */
  deleteTask(containerId: string, limitMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** In containerd, everything of Kubernetes is in a separate namespace. */
const KUBERNETES = { 'containerd-namespace': 'k8s.io' };

/** Opens a runtime's endpoint; the first call connects. */
export function openCalls(endpoint: string): RuntimeCalls {
  const path = socketPathOf(endpoint);
  const channel = openGrpcChannel({ path });

  async function send<In extends DescMessage, Out extends DescMessage>(
    choice: MethodChoice<'unary', In, Out>,
    request: MessageInitShape<In>,
    limit: CallLimit,
  ): Promise<MessageShape<Out>> {
    try {
      const { METHODS, decode, encode } = await import('./codec.ts');
      const { input, output, parent, name } = choice(METHODS);
      const answer = await channel.call(pathOf(calls.speaks, parent, name), encode(input, request), limit.signal);
      return decode(output, answer);
    } finally {
      limit.release();
    }
  }

  const ask = async (signal: AbortSignal): Promise<unknown> =>
    send(({ version }) => version, {}, { signal, release: () => undefined });

  const calls: RuntimeCalls = {
    speaks: 'v1',
    call: async (choice, request, limitMs, signal) => send(choice, request, deadline(limitMs, signal)),
    longCall: async (choice, request, signal) => send(choice, request, heartbeat(ask, signal)),
    async *stream(choice, request, signal) {
      const { METHODS, decode, encode } = await import('./codec.ts');
      const { input, output, parent, name } = choice(METHODS);
      const limit = heartbeat(ask, signal);
      const own = openGrpcChannel({ path });
      try {
        const answers = own.stream(pathOf(calls.speaks, parent, name), encode(input, request), limit.signal);
        for await (const answer of answers) yield decode(output, answer);
      } finally {
        own.close();
        limit.release();
      }
    },
    async deleteTask(containerId, limitMs, signal) {
      const { METHODS, encode } = await import('./codec.ts');
      const limit = deadline(limitMs, signal);
      try {
        // The request has the same form as that for a container: its first field is the id.
        const request = encode(METHODS.removeContainer.input, { containerId });
        await channel.call('containerd.services.tasks.v1.Tasks/Delete', request, limit.signal, KUBERNETES);
      } finally {
        limit.release();
      }
    },
    close: () => channel.close(),
  };
  return calls;
}

function pathOf(speaks: CriVersion, service: { readonly name: string }, method: string): string {
  return `runtime.${speaks}.${service.name}/${method}`;
}
