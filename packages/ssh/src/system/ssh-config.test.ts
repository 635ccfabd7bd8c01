import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RemoteTarget } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { classifyFailure } from './classify-failure.ts';
import { writeSshFiles } from './private-files.ts';
import { sshConfigText } from './ssh-config.ts';

const target: RemoteTarget = {
  name: 'shop',
  host: 'shop.example',
  port: 2222,
  user: 'me',
  auth: [{ kind: 'key', path: '/keys/my key', passphrase: 'secret phrase', certificate: '/keys/cert.pub' }],
  hostKeys: [],
  jumps: [],
  transport: 'system',
  limits: { connectSeconds: 10, idleTimeoutSeconds: 30 },
};

test('what a machine needs is in private files, and no secret is among what ssh is started with', async () => {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'fenestra-ssh-'));
  const jump: RemoteTarget = {
    ...target,
    name: 'door',
    host: 'door.example',
    hostKeys: ['SHA256:abc'],
    auth: [{ kind: 'password', password: 'pass word' }],
  };
  const places = {
    program: 'ssh',
    temporaryFolder,
    includes: ['/home/me/.ssh/config'],
    knownHosts: ['/k n'],
    acceptNew: false,
    multiplex: true,
  };
  const files = await writeSshFiles({ ...target, jumps: [jump] }, places);
  const config = await readFile(files.config, 'utf8');
  for (const line of [
    'Port 2222',
    'User "me"',
    'IdentityFile "/keys/my key"',
    'CertificateFile "/keys/cert.pub"',
    'UserKnownHostsFile "/k n"',
    'StrictHostKeyChecking yes',
    'Include "/home/me/.ssh/config"',
  ])
    expect(config).toContain(`${line}\n`);
  expect(config).toMatch(/ProxyCommand ssh -F ".*jump0.config" -W \[%h\]:%p -- door.example\n/);
  expect(JSON.stringify(files.env)).not.toMatch(/secret phrase|pass word/);
  for (const name of await readdir(files.folder)) expect((await stat(join(files.folder, name))).mode & 0o077).toBe(0);
  expect((await stat(files.folder)).mode & 0o077).toBe(0);
  await files.forgetSecrets();
  for (const name of await readdir(files.folder))
    expect(await readFile(join(files.folder, name), 'utf8')).not.toMatch(/secret phrase|pass word/);
  await files.remove();
  expect(await readdir(temporaryFolder)).toEqual([]);
  await rm(temporaryFolder, { recursive: true });
});

test('what is meant for a machine is not given to one that only the settings of ssh lead through', () => {
  const text = sshConfigText({
    target: { ...target, hostKeys: ['SHA256:abc'] },
    knownHosts: ['/known'],
    acceptNew: true,
    pinCommand: '/pins %f',
    proxyCommand: undefined,
    controlPath: '/control',
    includes: ['/home/me/.ssh/config'],
    ignored: ['UseKeychain'],
  });
  const [own = '', all = ''] = text.split('Host *\n');
  expect(own).toMatch(/^IgnoreUnknown "GSSAPIKeyExchange,.*,UseKeychain"\nHost shop\.example\n/);
  for (const line of ['Port 2222', 'User "me"', 'KnownHostsCommand /pins %f', 'ControlPath "/control"'])
    expect(own).toContain(`${line}\n`);
  expect(all.trim().split('\n')).toEqual([
    'BatchMode yes',
    'StrictHostKeyChecking yes',
    'UpdateHostKeys no',
    'VisualHostKey no',
    'CheckHostIP no',
    'VerifyHostKeyDNS no',
    'NoHostAuthenticationForLocalhost no',
    'GSSAPIKeyExchange no',
    'UserKnownHostsFile "/known"',
    'GlobalKnownHostsFile none',
    'ForwardAgent no',
    'ForwardX11 no',
    'GSSAPIDelegateCredentials no',
    'PermitLocalCommand no',
    'RemoteCommand none',
    'SessionType default',
    'StdinNull no',
    'ForkAfterAuthentication no',
    'ControlPath none',
    'Include "/home/me/.ssh/config"',
  ]);
});

test('where no one has said how to log in, ssh may use all its ways, and asks no one', () => {
  const config = { knownHosts: [], acceptNew: false, pinCommand: undefined, proxyCommand: undefined };
  const auth = [
    { kind: 'agent' as const, socket: '/agent' },
    { kind: 'key' as const, path: '/key' },
  ];
  const text = sshConfigText({
    ...config,
    target: { ...target, auth, usualAuth: true },
    controlPath: undefined,
    includes: [],
    ignored: [],
  });
  expect(text).toContain('BatchMode yes\nIdentityFile "/key"\n');
  expect(text).not.toMatch(/PreferredAuthentications|IdentitiesOnly|IdentityAgent/);
});

test.each([{ host: '-oProxyCommand=x' }, { user: 'me"\nProxyCommand x' }, { host: 'a b' }])(
  'what ssh would take for something else is refused: %j',
  async (change) => {
    const places = {
      program: 'ssh',
      temporaryFolder: tmpdir(),
      includes: [],
      knownHosts: [],
      acceptNew: false,
      multiplex: true,
    };
    const written = writeSshFiles({ ...target, ...change, jumps: [{ ...target, ...change }] }, places);
    await expect(written).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  },
);

test.each([
  ['REMOTE_UNREACHABLE', 'ssh: connect to host shop port 22: Connection refused'],
  ['REMOTE_UNREACHABLE', 'ssh: Could not resolve hostname shop: Name or service not known'],
  ['REMOTE_TIMEOUT', 'ssh: connect to host shop port 22: Connection timed out'],
  ['REMOTE_TIMEOUT', 'Connection timed out during banner exchange'],
  ['REMOTE_AUTH', 'me@shop: Permission denied (publickey,password).'],
  ['REMOTE_AUTH', 'Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures'],
  [
    'HOST_KEY_UNKNOWN',
    'No ED25519 host key is known for shop and you have requested strict checking.\nHost key verification failed.',
  ],
  [
    'HOST_KEY_CHANGED',
    '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nOffending ED25519 key in /k:3\nHost key verification failed.',
  ],
  ['REMOTE_UNSUPPORTED', 'Unable to negotiate with 10.0.0.1 port 22: no matching cipher found. Their offer: 3des-cbc'],
  ['CONFIG_INVALID', 'Bad owner or permissions on /home/me/.ssh/config'],
  ['CONFIG_INVALID', '/c: line 1: Bad configuration option: x\n/c: terminating, 1 bad configuration options'],
  ['CONFIG_INVALID', "Can't open user config file /c: Permission denied"],
  ['REMOTE_LOST', 'kex_exchange_identification: Connection closed by remote host'],
])('%s is recognised', (code, said) => {
  expect(classifyFailure(target, `debug1: Server host key: ssh-ed25519 SHA256:xyz\n${said}\n`)).toMatchObject({ code });
});

function shown(key: string): string {
  return `debug1: Server host key: ssh-ed25519 SHA256:${key}\n`;
}

test('an unknown machine that only the settings of ssh lead to is reported by its name, and the last key that was shown is the one', () => {
  const strict = 'and you have requested strict checking.\nHost key verification failed.\n';
  const door = classifyFailure(target, `${shown('door')}No ED25519 host key is known for door.example ${strict}`);
  expect(door).toMatchObject({
    code: 'HOST_KEY_UNKNOWN',
    message: expect.stringMatching(/SHA256:door of "door\.example"/),
  });
  const own = `No ED25519 host key is known for [shop.example]:2222 ${strict}`;
  expect(classifyFailure(target, `${shown('door')}${shown('shop')}${own}`)).toMatchObject({
    code: 'HOST_KEY_UNKNOWN',
    message: expect.stringContaining('its host key ssh-ed25519 SHA256:shop is not known'),
  });
});

test('a machine that cannot be reached is reported by the line that says why', () => {
  const said = 'ssh: connect to host door port 22: Connection refused\nConnection closed by UNKNOWN port 65535\n';
  expect(classifyFailure(target, said).message).toContain('connect to host door port 22: Connection refused');
});
