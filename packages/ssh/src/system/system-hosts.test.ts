import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import ssh2, { type AuthContext } from 'ssh2';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemSsh } from './system-hosts.ts';

const SECRET = "it's me";
const { signal } = new AbortController();
const hasSsh = await promisify(execFile)('ssh', ['-V']).then(
  () => true,
  () => false,
);
const servers: { close(): void }[] = [];
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-system-'));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => rm(folder, { recursive: true }));

test.for([
  ['HostName 127.0.0.1', { kind: 'password', password: SECRET }],
  ['HostName 127.0.0.1', { kind: 'keyboard-interactive', answer: SECRET }],
  ['HostName 127.0.0.1\nHostKeyAlias Shops', { kind: 'password', password: SECRET }],
  ['HostName 127.0.0.1\nHostKeyAlias Shops', { kind: 'keyboard-interactive', answer: SECRET }],
] as const)('ssh gets a secret under the name that its settings have: %j %j', async ([settings, way], context) => {
  if (!hasSsh) context.skip('there is no ssh here');
  const { port, given } = await serve(way.kind);
  await connect(port, [way], settings);
  expect(given).toEqual([SECRET]);
});

test('a machine that a program of the settings goes through is sent nothing', async (context) => {
  if (!hasSsh) context.skip('there is no ssh here');
  const door = await serve('password');
  const anyKey = '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null';
  const proxy = `ProxyCommand ssh -F none ${anyKey} -p ${door.port} -W 127.0.0.1:%p other@127.0.0.1`;
  const way = { kind: 'password', password: SECRET } as const;
  await expect(connect(1, [way], proxy)).rejects.toMatchObject({ code: 'REMOTE_AUTH' });
  expect(door.given.filter((secret) => secret !== '')).toEqual([]);
});

async function connect(port: number, auth: readonly RemoteAuth[], settings: string): Promise<void> {
  const config = join(folder, 'config');
  await writeFile(config, `Host shop.example\n${settings}\n`);
  const accepted = { file: join(folder, `accepted-${port}`), recorded: () => undefined };
  const hosts = systemSsh({ knownHosts: [], acceptNew: accepted, configFiles: [config], temporaryFolder: folder });
  const target: RemoteTarget = {
    name: 'shop',
    host: 'shop.example',
    port,
    user: 'me',
    auth,
    hostKeys: [],
    jumps: [],
    transport: 'system',
    limits: { connectSeconds: 10, idleTimeoutSeconds: 10 },
  };
  await (await hosts.connect(target, signal)).close();
}

/** Someone else's SSH server, which remembers what it was given. */
async function serve(method: 'password' | 'keyboard-interactive') {
  const given: string[] = [];
  const judge = (context: AuthContext, secret: string): void => {
    given.push(secret);
    if (secret === SECRET) context.accept();
    else context.reject();
  };
  const server = new ssh2.Server({ hostKeys: [newKey()] }, (client) => {
    client
      .on('error', () => undefined)
      .on('authentication', (context) => {
        if (context.method !== method) context.reject([method]);
        else if (context.method === 'password') judge(context, context.password);
        else if (context.method === 'keyboard-interactive')
          context.prompt([{ prompt: 'Code: ', echo: false }], ([answer]) => judge(context, answer ?? ''));
      });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: unknown = server.address();
  return { given, port: address instanceof Object && 'port' in address ? Number(address.port) : 0 };
}

/** One in some three hundred keys that the library makes is malformed: that one is made again. */
function newKey(): string {
  const pair = ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.parseKey(pair.private) instanceof Error ? newKey() : pair.private;
}
