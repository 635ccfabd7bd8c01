import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GROUPS, OPERATIONS, newMessage, type Message } from '@fenestra/contracts';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { makeAuthority, type Authority } from '../testing/authority.ts';
import { startTestCloud, type CloudOptions, type NodeSession, type TestCloud } from '../testing/test-cloud.ts';
import { testNode, type NodeOptions, type TestNode } from '../testing/test-node.ts';

const HOUR = 3_600_000;
const soon = (): number => Date.now() + HOUR;
const endings: (() => Promise<void>)[] = [];
let authority: Authority;

beforeAll(async () => {
  authority = await makeAuthority();
});

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function aCloud(options: CloudOptions = {}): Promise<TestCloud> {
  const cloud = await startTestCloud({ authority, ...options });
  endings.push(async () => cloud.stop());
  return cloud;
}

async function aNode(cloud: TestCloud, token: string, options?: NodeOptions): Promise<TestNode> {
  const node = testNode(cloud, token, options);
  endings.push(async () => node.module.stop());
  await node.module.start(new AbortController().signal);
  return node;
}

async function joined(options: { cloud?: CloudOptions; node?: NodeOptions } = {}) {
  const cloud = await aCloud(options.cloud);
  const node = await aNode(cloud, authority.token(soon()), options.node);
  const session = await nextSession(cloud, 0);
  return { cloud, node, session };
}

async function nextSession(cloud: TestCloud, index: number): Promise<NodeSession> {
  return vi.waitFor(
    () => {
      const session = cloud.sessions[index];
      if (session === undefined) throw new Error(`There are ${cloud.sessions.length} sessions`);
      return session;
    },
    { timeout: 30_000, interval: 10 },
  );
}

async function problemOf(node: TestNode): Promise<unknown> {
  return vi.waitFor(
    () => {
      expect(node.problem()).toBeDefined();
      return node.problem();
    },
    { timeout: 30_000, interval: 10 },
  );
}

function objectMessage(name: string): Message {
  return newMessage({
    source: 'edgecontroller',
    group: GROUPS.resource,
    operation: OPERATIONS.insert,
    resource: `default/configmap/${name}`,
    content: { metadata: { name, uid: name, resourceVersion: '1' } },
    resourceVersion: '1',
  });
}

function query(): Message {
  return newMessage({ source: 'edged', group: 'meta', operation: 'query', resource: 'default/configmap/c' });
}

test('a node joins by its token and connects as upstream does', async () => {
  const { node, session } = await joined();
  expect(session.path).toBe('/e632aba927ea4ac2b575ec1603d56f10/edge-1/events');
  expect(session.headers).toMatchObject({
    node_id: 'edge-1',
    project_id: 'e632aba927ea4ac2b575ec1603d56f10',
    connectionuse: 'msg',
  });
  expect(session.headers.origin).toBeUndefined();
  expect(session.headers['sec-websocket-extensions']).toBeUndefined();
  await vi.waitFor(() => expect(session.frames).toHaveLength(1));
  expect(JSON.parse(session.frames[0] ?? '')).toMatchObject({
    route: { source: 'websocket', group: 'resource', operation: 'keepalive', resource: 'node' },
    content: 'ping',
  });
  await vi.waitFor(() => expect(node.hub.connected).toBe(true));
  expect(node.module.health()).toEqual({ state: 'healthy' });
});

test('after joining the token is gone from the configuration, the files are private and nothing secret was logged', async () => {
  const { cloud, node } = await joined();
  expect(readFileSync(node.configFile, 'utf8')).toBe('# keep me\nmodules:\n  edgeHub:\n    token: ""\n');
  expect(statSync(join(node.folder, 'certs', 'server.key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(node.folder, 'certs', 'server.key'), 'utf8')).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
  const [, jwt = ''] = /Bearer (.*)/.exec(cloud.requests[0]?.authorization ?? '') ?? [];
  expect(jwt).not.toBe('');
  expect(node.log.join('')).not.toContain(jwt);
  expect(node.log.join('')).not.toContain('PRIVATE');
});

test('keepalives go on at every heartbeat', async () => {
  const { cloud } = await joined({ node: { heartbeatSeconds: 0.05 } });
  // On a busy machine a session may be given up first, after 2.5 heartbeats without an answer.
  await vi.waitFor(() => expect(cloud.sessions.some(({ frames }) => frames.length > 3)).toBe(true));
});

test('a message is acknowledged once it was taken in, and refused when that failed', async () => {
  const { node, session } = await joined();
  const taken: string[] = [];
  node.hub.onMessage(async ({ route }) => {
    if (route.resource.endsWith('bad')) throw new Error('the disk is full');
    taken.push(route.resource);
  });
  const good = objectMessage('good');
  const bad = objectMessage('bad');
  session.send(good);
  session.send(bad);
  await vi.waitFor(() => expect(session.messages).toHaveLength(2));
  expect(taken).toEqual(['default/configmap/good']);
  expect(session.messages).toMatchObject([
    { header: { parentId: good.header.id }, route: { source: 'metamanager', operation: 'response' }, content: 'OK' },
    { header: { parentId: bad.header.id }, route: { operation: 'error' }, content: 'the disk is full' },
  ]);
});

test('while no module takes messages they are refused, so that the cloud sends them again', async () => {
  const { session } = await joined();
  session.send(objectMessage('early'));
  await vi.waitFor(() => expect(session.messages).toMatchObject([{ route: { operation: 'error' } }]));
});

test('a request gets the answer with its id, which is acknowledged only when the caller says so', async () => {
  const { node, session } = await joined();
  await vi.waitFor(() => expect(node.hub.connected).toBe(true));
  const question = query();
  const answering = node.hub.request(question, 2000);
  await vi.waitFor(() => expect(session.messages).toHaveLength(1));
  const answer = newMessage({
    ...objectMessage('c').route,
    operation: 'response',
    content: { metadata: { uid: 'u' } },
    parentId: question.header.id,
  });
  session.send(answer);
  const got = await answering;
  expect(got.header.id).toBe(answer.header.id);
  expect(session.messages).toHaveLength(1);
  node.hub.acknowledge(got);
  await vi.waitFor(() =>
    expect(session.messages[1]).toMatchObject({ header: { parentId: answer.header.id }, content: 'OK' }),
  );
});

test('an answer that comes too late is taken in like any other message', async () => {
  const { node, session } = await joined();
  const taken: Message[] = [];
  node.hub.onMessage((message) => void taken.push(message));
  const { route, content } = objectMessage('late');
  const late = newMessage({ ...route, operation: 'response', content, parentId: 'nobody-waits-for-this' });
  session.send(late);
  await vi.waitFor(() =>
    expect(session.messages).toMatchObject([{ header: { parentId: late.header.id }, content: 'OK' }]),
  );
  expect(taken).toHaveLength(1);
});

test('a node that is slow to take messages in makes the cloud wait and loses none', async () => {
  const { node, session } = await joined();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let most = 0;
  let present = 0;
  node.hub.onMessage(async () => {
    present += 1;
    most = Math.max(most, present);
    await opened;
    present -= 1;
  });
  const padding = 'x'.repeat(50_000);
  for (let n = 0; n < 600; n += 1) session.send({ ...objectMessage(`m${n}`), content: { padding } });
  await vi.waitFor(() => expect(present).toBeGreaterThanOrEqual(256), { timeout: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(most).toBeLessThan(600);
  open();
  await vi.waitFor(() => expect(session.messages).toHaveLength(600), { timeout: 30_000 });
});

test('a request without an answer times out, and fails at once when the connection ends', async () => {
  const { node, session } = await joined();
  await vi.waitFor(() => expect(node.hub.connected).toBe(true));
  await expect(node.hub.request(query(), 30)).rejects.toMatchObject({ code: 'TIMED_OUT' });
  const waiting = node.hub.request(query(), 10_000);
  session.socket.terminate();
  await expect(waiting).rejects.toMatchObject({ code: 'HUB_NOT_CONNECTED' });
  expect(() => node.hub.send(query())).toThrow(expect.objectContaining({ code: 'HUB_NOT_CONNECTED' }));
});

test('the node comes back when the cloud hangs up, says why it was hung up on, and reports its modules', async () => {
  const { cloud, node, session } = await joined();
  const reported: string[] = [];
  node.hub.onConnected(() => reported.push('connected'));
  node.hub.onDisconnected((reason) => reported.push(reason));
  await vi.waitFor(() => expect(reported).toEqual(['connected']));
  session.socket.close(1008, 'too many nodes');
  await nextSession(cloud, 1);
  await vi.waitFor(() => expect(reported).toEqual(['connected', 'closed with code 1008: too many nodes', 'connected']));
  expect(node.log.join('')).toContain('too many nodes');
});

test('the node comes back when the cloud was away, with the certificate it has', async () => {
  const { cloud, node } = await joined();
  await cloud.stop();
  endings.shift();
  expect(await problemOf(node)).toBeDefined();
  const again = await aCloud({ port: cloud.port });
  await nextSession(again, 0);
  expect(again.requests).toEqual([]);
});

test('frames no one can read are dropped alone, and one that is too large ends the connection', async () => {
  const { cloud, node, session } = await joined();
  node.hub.onMessage(() => undefined);
  session.socket.send('{"header":{"msg_id":"x"');
  session.socket.send(Buffer.from([1, 2, 3]));
  session.send(objectMessage('after'));
  await vi.waitFor(() => expect(session.messages).toMatchObject([{ content: 'OK' }]));
  session.socket.send(Buffer.alloc(33 * 1024 * 1024, 32), { binary: false });
  await nextSession(cloud, 1);
  expect(node.log.join('')).toMatch(/payload|1009/i);
});

test('a CA that is not the one of the token gets no token', async () => {
  const cloud = await aCloud();
  const foreign = await makeAuthority();
  const node = await aNode(cloud, foreign.token(soon()));
  expect(await problemOf(node)).toMatchObject({ code: 'TOKEN_INVALID', message: expect.stringContaining('CA') });
  expect(cloud.requests).toEqual([]);
  expect(node.module.health().state).toBe('degraded');
});

test('a token the cloud did not sign, one that has expired and one that is none are distinguished', async () => {
  const cloud = await aCloud();
  const [hash = ''] = authority.token(soon()).split('.');
  const [, ...foreignJwt] = (await makeAuthority()).token(soon()).split('.');
  const foreign = await aNode(cloud, [hash, ...foreignJwt].join('.'));
  expect(await problemOf(foreign)).toMatchObject({
    code: 'TOKEN_INVALID',
    message: expect.stringContaining('the cloud answers'),
  });
  const expired = await aNode(cloud, authority.token(Date.now() - HOUR));
  expect(await problemOf(expired)).toMatchObject({
    code: 'TOKEN_INVALID',
    message: expect.stringContaining('expired'),
  });
  const none = await aNode(cloud, 'hello');
  expect(await problemOf(none)).toMatchObject({ code: 'TOKEN_INVALID', message: expect.stringContaining('parts') });
  const missing = await aNode(cloud, '');
  expect(await problemOf(missing)).toMatchObject({
    code: 'TOKEN_INVALID',
    message: expect.stringContaining('no join token'),
  });
});

test('a clock that is years behind is named as such', async () => {
  const cloud = await aCloud();
  const node = await aNode(cloud, authority.token(soon()), { now: () => new Date('2001-01-01T00:00:00Z') });
  expect(await problemOf(node)).toMatchObject({ code: 'CLOCK_WRONG' });
});

test('with a clock that is years ahead the hint is to compare the clocks, and no certificate is kept', async () => {
  const cloud = await aCloud();
  const node = await aNode(cloud, authority.token(soon()), { now: () => new Date(Date.now() + 50_000 * HOUR) });
  expect(await problemOf(node)).toMatchObject({ hint: expect.stringContaining('clock') });
  expect(existsSync(join(node.folder, 'certs', 'server.crt'))).toBe(false);
});

test('a hub with a certificate for other names is not trusted', async () => {
  const cloud = await aCloud();
  const impostor = await aCloud({ names: [{ type: 'dns', value: 'elsewhere.example' }] });
  const node = await aNode(cloud, authority.token(soon()), {
    change: ({ websocket }) => ({ websocket: { ...websocket, server: impostor.server } }),
  });
  expect(await problemOf(node)).toMatchObject({
    code: 'HUB_UNTRUSTED',
    hint: expect.stringContaining('advertiseAddress'),
  });
  expect(impostor.sessions).toEqual([]);
});

test('a hub of another CA is not trusted', async () => {
  const cloud = await aCloud();
  const impostor = await aCloud({ authority: await makeAuthority() });
  const node = await aNode(cloud, authority.token(soon()), {
    change: ({ websocket }) => ({ websocket: { ...websocket, server: impostor.server } }),
  });
  expect(await problemOf(node)).toMatchObject({ code: 'HUB_UNTRUSTED' });
  expect(impostor.sessions).toEqual([]);
});

test('a cloud that is not there is named with its address', async () => {
  const cloud = await aCloud();
  await cloud.stop();
  endings.pop();
  const node = await aNode(cloud, authority.token(soon()));
  expect(await problemOf(node)).toMatchObject({
    code: 'HUB_UNREACHABLE',
    message: expect.stringContaining(cloud.server),
  });
});

test('a certificate is renewed before it expires, and the node reconnects with the new one', async () => {
  // Of a life of two hundred seconds 180 are over: renewal is due.
  const { cloud, node, session } = await joined({ cloud: { nodeLife: { fromMs: -180_000, untilMs: 20_000 } } });
  const next = await nextSession(cloud, 1);
  expect(next.serial).not.toBe(session.serial);
  expect(cloud.requests[1]?.authorization).toBeUndefined();
  expect(node.log.join('')).toContain('renewed');
});

test('an expired certificate heals itself with a valid token', async () => {
  // Certificates know whole seconds alone, so it is good for one to two of them.
  const cloud = await aCloud({ nodeLife: { fromMs: -HOUR, untilMs: 2000 } });
  const first = testNode(cloud, authority.token(soon()), { change: () => ({ rotateCertificates: false }) });
  await first.module.start(new AbortController().signal);
  const { serial } = await nextSession(cloud, 0);
  await first.module.stop();
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const second = await aNode(cloud, '', { folder: first.folder, change: () => ({ rotateCertificates: false }) });
  expect(await problemOf(second)).toMatchObject({
    code: 'CERTIFICATE_REJECTED',
    message: expect.stringContaining('expired'),
  });
  writeFileSync(join(first.folder, 'bootstrap-edgecore.conf'), authority.token(soon()));
  expect((await nextSession(cloud, 1)).serial).not.toBe(serial);
  expect(readFileSync(join(first.folder, 'bootstrap-edgecore.conf'), 'utf8')).toBe('');
});

test('a stale token does not keep a node from a certificate that the cloud takes', async () => {
  const { cloud, node } = await joined();
  await node.module.stop();
  writeFileSync(join(node.folder, 'bootstrap-edgecore.conf'), authority.token(Date.now() - HOUR));
  // By the clock of this machine the certificate has expired; the cloud knows better.
  const now = (): Date => new Date(Date.now() + 200 * HOUR);
  await aNode(cloud, '', { folder: node.folder, now, change: () => ({ rotateCertificates: false }) });
  expect((await nextSession(cloud, 1)).headers['node_id']).toBe('edge-1');
});

test('a certificate that was lost on its way is asked for again with the same key', async () => {
  const { cloud, node } = await joined({ cloud: { lostAnswers: 2 } });
  expect(cloud.keys).toHaveLength(3);
  expect(new Set(cloud.keys).size).toBe(1);
  expect(readdirSync(join(node.folder, 'certs')).toSorted()).toEqual(['server.crt', 'server.key']);
});

test('a node that was renamed asks for a certificate of its new name', async () => {
  const { cloud, node } = await joined();
  await node.module.stop();
  await aNode(cloud, authority.token(soon()), { folder: node.folder, nodeName: 'edge-2' });
  expect((await nextSession(cloud, 1)).headers['node_id']).toBe('edge-2');
  expect(cloud.requests).toHaveLength(2);
});

test('a cloud with a new CA is joined again once there is a token from it', async () => {
  const { cloud, node } = await joined();
  await node.module.stop();
  await cloud.stop();
  endings.shift();
  const other = await makeAuthority();
  const rebuilt = await aCloud({ port: cloud.port, authority: other });
  const back = await aNode(rebuilt, '', { folder: node.folder });
  expect(await problemOf(back)).toMatchObject({ code: 'HUB_UNTRUSTED' });
  writeFileSync(join(node.folder, 'bootstrap-edgecore.conf'), other.token(soon()));
  await nextSession(rebuilt, 0);
});

test('a stop ends the connection in order', async () => {
  const { node, session } = await joined();
  const closed = new Promise((resolve) =>
    session.socket.once('close', (code, reason) => resolve([code, String(reason)])),
  );
  // The cloud knows of the connection a moment before the node does.
  await vi.waitFor(() => expect(node.hub.connected).toBe(true));
  await node.module.stop();
  expect(await closed).toEqual([1001, 'the agent stops']);
  expect(node.hub.connected).toBe(false);
});
