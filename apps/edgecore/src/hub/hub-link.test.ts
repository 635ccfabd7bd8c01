import { GROUPS, newMessage, OPERATIONS, type Message } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { expect, test, vi } from 'vitest';
import type { HubConnection } from './hub-connection.ts';
import { HubLink } from './hub-link.ts';

/** A connection that records what is done with it. */
function recordedConnection() {
  const sent: Message[] = [];
  const acknowledged: string[] = [];
  const state = { reading: true, closed: false };
  const connection: HubConnection = {
    send: (message) => void sent.push(message),
    sendUrgent: ({ header }) => void acknowledged.push(header.parentId ?? ''),
    setReading: (reading) => void (state.reading = reading),
    tune: () => {},
    ended: new Promise(() => {}),
    close: () => void (state.closed = true),
  };
  return { connection, sent, acknowledged, state };
}

function objectMessage(parentId?: string): Message {
  const route = { source: 'edgecontroller', group: GROUPS.resource, operation: OPERATIONS.insert };
  return newMessage({ ...route, resource: 'default/configmap/app', content: null, parentId });
}

function linkWithTaker() {
  const link = new HubLink(silentLogger());
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  link.onMessage(async () => stored);
  return { link, store };
}

const NODE_LIMIT = 256;

test('the connection that was paused is resumed, whichever connection the stored messages came by', async () => {
  const { link, store } = linkWithTaker();
  const [first, second] = [recordedConnection(), recordedConnection()];
  link.attach(first.connection);
  for (let count = 0; count < NODE_LIMIT - 10; count += 1) link.receive(objectMessage(), first.connection);
  link.detach(first.connection, 'lost');
  link.attach(second.connection);
  for (let count = 0; count < 20; count += 1) link.receive(objectMessage(), second.connection);
  expect(second.state.reading).toBe(false);
  store();
  await vi.waitFor(() => expect(second.acknowledged).toHaveLength(20));
  expect(second.state.reading).toBe(true);
});

test('a new connection is paused too while the messages of the one before are still being stored', async () => {
  const { link, store } = linkWithTaker();
  const [first, second] = [recordedConnection(), recordedConnection()];
  link.attach(first.connection);
  for (let count = 0; count < NODE_LIMIT; count += 1) link.receive(objectMessage(), first.connection);
  link.detach(first.connection, 'lost');
  link.attach(second.connection);
  link.receive(objectMessage(), second.connection);
  expect(second.state.reading).toBe(false);
  store();
  await vi.waitFor(() => expect(second.state.reading).toBe(true));
});

test('a message is acknowledged on the connection it came by, not on the present one', async () => {
  const { link, store } = linkWithTaker();
  const [first, second] = [recordedConnection(), recordedConnection()];
  const message = objectMessage();
  link.attach(first.connection);
  link.receive(message, first.connection);
  link.detach(first.connection, 'lost');
  link.attach(second.connection);
  store();
  await vi.waitFor(() => expect(first.acknowledged).toEqual([message.header.id]));
  expect(second.acknowledged).toEqual([]);
});

test('an answer is acknowledged on the connection it came by', async () => {
  const link = new HubLink(silentLogger());
  const [first, second] = [recordedConnection(), recordedConnection()];
  link.attach(first.connection);
  const question = objectMessage();
  const answering = link.request(question, 10_000);
  link.receive(objectMessage(question.header.id), first.connection);
  const answer = await answering;
  link.detach(first.connection, 'lost');
  link.attach(second.connection);
  link.acknowledge(answer);
  expect(first.acknowledged).toEqual([answer.header.id]);
  expect(second.acknowledged).toEqual([]);
});

test('the end of an earlier connection leaves the present one and its requests alone', async () => {
  const link = new HubLink(silentLogger());
  const [first, second] = [recordedConnection(), recordedConnection()];
  const reasons: string[] = [];
  link.onDisconnected((reason) => reasons.push(reason));
  link.attach(first.connection);
  link.attach(second.connection);
  expect(first.state.closed).toBe(true);
  expect(reasons).toEqual(['another connection took its place']);
  const question = objectMessage();
  const answering = link.request(question, 10_000);
  link.detach(first.connection, 'closed late');
  expect(link.connected).toBe(true);
  link.receive(objectMessage(question.header.id), second.connection);
  await expect(answering).resolves.toMatchObject({ header: { parentId: question.header.id } });
});

test('a request that was aborted before is not sent', async () => {
  const link = new HubLink(silentLogger());
  const { connection, sent } = recordedConnection();
  link.attach(connection);
  await expect(link.request(objectMessage(), 10_000, AbortSignal.abort())).rejects.toThrow(/abort/);
  expect(sent).toEqual([]);
});
