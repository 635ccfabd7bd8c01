import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import type { StepContext } from '@fenestra/kernel';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { holdName, leaveCloud } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CLOUD_CERTIFICATE, CLOUD_KEY } from '@fenestra/lifecycle/testing/cloud-certificate';

const { signal } = new AbortController();
let folder = '';
let status = 204;
const asked: string[] = [];

/** Answers as a cloud does that knows the certificate. */
const tls = { key: CLOUD_KEY, cert: CLOUD_CERTIFICATE, ca: CLOUD_CERTIFICATE };
const server: Server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
  const shown = request.socket instanceof TLSSocket && request.socket.authorized;
  asked.push(`${request.method} ${request.url}${shown ? ' with its certificate' : ''}`);
  response.writeHead(status).end();
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'give-name-back-'));
  for (const name of ['ca', 'crt']) await writeFile(join(folder, name), CLOUD_CERTIFICATE);
  await writeFile(join(folder, 'key'), CLOUD_KEY);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

beforeEach(() => void asked.splice(0));

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

test('a join that is undone gives the name back, and says that a single-use token is used up', async () => {
  status = 204;
  expect(await undo({})).toEqual([]);
  expect(asked).toEqual(['DELETE /node/edge-1 with its certificate']);
  expect(await undo({ singleUse: true })).toEqual([expect.stringContaining('The token is used up; get another')]);
});

test('an operator learns of a Node object that may stay in the cloud', async () => {
  status = 202;
  expect(await undo({})).toEqual([
    expect.stringMatching(/has left the cloud.*Node object stays.*kubectl delete node edge-1/),
  ]);
  status = 409;
  expect(await undo({})).toEqual(['Another machine is the node "edge-1" now: it stays in the cloud']);
  status = 404;
  expect(await undo({})).toEqual([expect.stringMatching(/may still have.*kubectl delete node edge-1/)]);
  expect(await undo({ cloud: 'https://127.0.0.1:1' })).toEqual([expect.stringContaining('may still have')]);
});

test('a node that never got a certificate asks nothing of the cloud and used no token up', async () => {
  expect(await undo({ certificateFile: join(folder, 'absent'), singleUse: true })).toEqual([]);
  expect(asked).toEqual([]);
  await writeFile(join(folder, 'waiting.pending'), '{}');
  const waiting = { certificateFile: join(folder, 'absent'), keyFile: join(folder, 'waiting'), singleUse: true };
  expect(await undo(waiting)).toEqual([expect.stringContaining('The token may be used up')]);
});

test('a reset gives the name back, too', async () => {
  status = 204;
  const { singleUse: _singleUse, ...named } = hold({});
  const step = leaveCloud(named);
  const said: string[] = [];
  await leaveCloud.handler.apply(step, null, contextOf(said), signal);
  expect([said, asked]).toEqual([[], ['DELETE /node/edge-1 with its certificate']]);
});

async function undo(changes: Partial<HeldName>): Promise<readonly string[]> {
  const step = hold(changes);
  const said: string[] = [];
  await holdName.handler.revert(step, null, contextOf(said), signal);
  return said;
}

type HeldName = ReturnType<typeof holdName>;

function hold(changes: Partial<HeldName>): HeldName {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const step = holdName({
    nodeName: 'edge-1',
    cloud: `https://127.0.0.1:${port}`,
    caFile: join(folder, 'ca'),
    certificateFile: join(folder, 'crt'),
    keyFile: join(folder, 'key'),
    singleUse: false,
  });
  return { ...step, ...changes };
}

function contextOf(said: string[]): StepContext<StepPorts> {
  const files = posixFileStore();
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  const ports = {
    host: linuxHost(),
    secrets: new Map<string, string>(),
    files,
    access: posixAccessControl(),
    services,
  };
  return { ports, progress: () => {}, say: (text) => void said.push(text) };
}
