import { decodeMessage, encodeMessage, type Message, replyTo } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { silentLogger } from '@fenestra/platform';
import { HubLink } from '../../hub/hub-link.ts';
import type { HubConnection } from '../../hub/hub-connection.ts';

/** What a cloud answers: content for a `response`, or `undefined` for silence. */
export type Answerer = (message: Message) => Json | undefined;

/** The other end of the node's real hub client, in the same process. */
export interface TestCloud {
  readonly hub: HubLink;
  /** Everything the node sent, acknowledgements too. */
  readonly received: readonly Message[];
  connect(): void;
  disconnect(): void;
  /** From now on whatever the node sends gets stuck on its side, as when a network is gone but no one noticed. */
  stall(): void;
  /** Sends a message to the node. */
  send(message: Message): void;
  /** Changes what the cloud answers from now on. */
  answerBy(answerer: Answerer): void;
}

/** Makes a cloud that the node is not connected to yet. Messages go through the codec, as on a real wire. */
export function testCloud(): TestCloud {
  const link = new HubLink(silentLogger());
  const received: Message[] = [];
  let answerer: Answerer | undefined;
  let connection: HubConnection | undefined;
  let isStalled = false;
  const give = (message: Message): void => {
    if (connection === undefined) throw new Error('The node is not connected to the test cloud');
    link.receive(overTheWire(message), connection);
  };
  const take = (sent: Message): void => {
    const message = overTheWire(sent);
    received.push(message);
    const content = answerer?.(message);
    if (content === undefined) return;
    const answer = replyTo(message, { source: 'edgecontroller', group: 'resource', content });
    queueMicrotask(() => give(answer));
  };
  return {
    hub: link,
    received,
    connect() {
      const { promise: ended, resolve: close } = Promise.withResolvers<string>();
      isStalled = false;
      const send = (message: Message, taken?: () => void): void => {
        if (isStalled) return;
        take(message);
        if (taken !== undefined) queueMicrotask(taken);
      };
      connection = { send, sendUrgent: take, setReading: () => {}, tune: () => {}, ended, close };
      link.attach(connection);
    },
    disconnect() {
      if (connection !== undefined) link.detach(connection, 'the test cut the line');
    },
    stall() {
      isStalled = true;
    },
    send: give,
    answerBy(next) {
      answerer = next;
    },
  };
}

function overTheWire(message: Message): Message {
  return decodeMessage(encodeMessage(message));
}
