import * as fc from 'fast-check';
import { metadataService, type ServiceName } from '../../cloudbase/service.ts';
import { parseSecretStore } from '../secret-store.ts';
import { TOKEN_MARK, type TokenSource, type UserDataRequest } from '../request.ts';

/** A token as documentation has it. */
export const TOKEN = 'abcdef.0123456789abcdef';

/** A configuration of kubeadm with the mark in place of its token. */
const CONFIGURATION = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken: {apiServerEndpoint: 10.0.0.5:6443, token: "${TOKEN_MARK}", caCertHashes: [sha256:${'a'.repeat(64)}]}
`;

/** A store for each platform that has one. */
const STORES: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  azure: ['azure-key-vault:https://nodes.vault.azure.net/win-1'],
  ec2: ['aws-secrets-manager:nodes/win-1', 'aws-parameter-store:/nodes/win-1'],
  vmware: ['vsphere-guestinfo:guestinfo.fenestra.token'],
};

/** A request for a worker that asks for nothing special. */
export function plainRequest(changes: Partial<UserDataRequest> = {}): UserDataRequest {
  return {
    form: undefined,
    service: undefined,
    join: { kind: 'worker', configuration: CONFIGURATION, program: 'keadm', verbosity: undefined },
    token: { kind: 'inline', token: TOKEN },
    files: [],
    commandsBefore: [],
    commandsAfter: [],
    settings: {},
    ...changes,
  };
}

/** What means something to cmd.exe, PowerShell, YAML, MIME or Jinja, or nothing to a code page. */
const SIGNS: readonly string[] = [
  'a',
  ' ',
  '"',
  '%',
  '^',
  '&',
  '#',
  '\n',
  '\t',
  '\\',
  'ö',
  '’',
  "'",
  '%%',
  '{{',
  '{#',
  '{%',
  '}}',
  '\r\n',
  '--=_',
  '$(x)',
  '@TOKEN',
  '😀',
  ': ',
  '- ',
  'Content-Type: multipart',
  '<powershell>',
  'exit 1001',
  'x.cmd',
];

const nastyText = fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((parts) => parts.join(''));

const file = fc.record({
  path: fc.constantFrom('/k/azure.json', 'C:/k/größe.ps1', "C:\\it's here\\x y.txt"),
  content: nastyText.map((text) => Buffer.from(text)),
  append: fc.boolean(),
  isProtected: fc.boolean(),
  place: fc.constant('file.yaml:9 spec.files[0].content'),
});

const command = nastyText.map((text) => ({ text: text.replaceAll(/[\r\n]/g, ' '), place: '--pre-command, number 1' }));

const settings = fc.constantFrom(
  {},
  { ntp: { enabled: true, servers: ['pool.example'] } },
  { users: [{ name: 'capi', gecos: 'größe: "x"', groups: ['Users'], ssh_authorized_keys: ['ssh-ed25519 AAAA ö'] }] },
);

const join: fc.Arbitrary<UserDataRequest['join']> = fc.oneof(
  fc.constantFrom('keadm' as const, 'kubeadm' as const).map((program) => ({
    kind: 'worker' as const,
    configuration: CONFIGURATION,
    program,
    verbosity: 5,
  })),
  fc.array(nastyText, { maxLength: 3 }).map((words) => ({ kind: 'edge' as const, words })),
);

const tokens: fc.Arbitrary<Pick<UserDataRequest, 'service' | 'token'>> = fc.constantFrom(
  ...(['nocloud', 'configdrive', 'openstack', 'gce'] as const).map((name) => ({
    service: metadataService(name),
    token: { kind: 'inline', token: TOKEN } satisfies TokenSource,
  })),
  ...(['azure', 'ec2', 'vmware'] as const).flatMap((name) =>
    (STORES[name] ?? []).flatMap((store) =>
      [true, false].map((keep) => ({
        service: metadataService(name),
        token: { kind: 'store', store: parseSecretStore(store, { keep }) } satisfies TokenSource,
      })),
    ),
  ),
);

/** Any request that can be made well. */
export const anyRequest: fc.Arbitrary<UserDataRequest> = fc
  .record({
    form: fc.constantFrom('powershell' as const, 'multipart' as const, 'cloud-config' as const),
    join,
    tokens,
    files: fc.array(file, { maxLength: 2 }),
    commandsBefore: fc.array(command, { maxLength: 3 }),
    commandsAfter: fc.array(command, { maxLength: 2 }),
    settings,
  })
  .map(({ tokens: { service, token }, ...rest }) => ({
    ...rest,
    service,
    token,
    settings: rest.form === 'powershell' ? {} : rest.settings,
    files: rest.files.map((each) => ({ ...each, isProtected: each.isProtected && rest.form !== 'cloud-config' })),
  }));

/** What looks like a secret wherever it stands. */
const secretText = fc
  .tuple(
    nastyText,
    fc.constantFrom(
      `token: ${TOKEN}`,
      Buffer.from(`x ${TOKEN}`).toString('base64'),
      'net user capi Passw0rd',
      '"aadClientSecret": "x"',
      '-----BEGIN PRIVATE KEY-----',
    ),
  )
  .map(([before, secret]) => `${before} ${secret}`);

/** A request that can be made well but for a secret in the place that is named. */
export const requestWithSecret: fc.Arbitrary<{ readonly request: UserDataRequest; readonly place: string }> = fc
  .tuple(anyRequest, secretText, fc.constantFrom('files', 'commandsBefore', 'commandsAfter'))
  .map(([{ form, ...request }, text, where]) => ({
    request: withSecret({ ...request, form: form === 'cloud-config' ? 'multipart' : form }, where, text),
    place: where,
  }));

function withSecret(
  request: UserDataRequest,
  where: 'files' | 'commandsBefore' | 'commandsAfter',
  text: string,
): UserDataRequest {
  const secretFile = { path: '/k/x', content: Buffer.from(text), append: false, isProtected: false, place: where };
  return where === 'files'
    ? { ...request, files: [...request.files, secretFile] }
    : { ...request, [where]: [...request[where], { text: text.replaceAll(/[\r\n]/g, ' '), place: where }] };
}
