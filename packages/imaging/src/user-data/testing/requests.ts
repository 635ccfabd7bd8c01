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
  isProtected: fc.constant(false),
});

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
    commandsBefore: fc.array(nastyText, { maxLength: 3 }),
    commandsAfter: fc.array(nastyText, { maxLength: 2 }),
    settings,
  })
  .map(({ tokens: { service, token }, ...rest }) => ({
    ...rest,
    service,
    token,
    settings: rest.form === 'powershell' ? {} : rest.settings,
  }));
