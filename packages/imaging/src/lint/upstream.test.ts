import { expect, test } from 'vitest';
import { metadataService, type ServiceName } from '../cloudbase/service.ts';
import { lintFile } from './lint-file.ts';
import type { RuleId } from './rules.ts';
import { kubeadmConfig, message, part, TOKEN } from './testing/documents.ts';
import { SAMPLES } from './testing/samples.ts';
import { processorMs } from '../../../../tests/processor-time.ts';

function rules(document: string, service: ServiceName): readonly string[] {
  const linted = lintFile(Buffer.from(document), { version: '1.1.4', service: metadataService(service) });
  return linted.flatMap(({ findings }) =>
    findings
      .filter(({ severity }) => severity !== 'note')
      .map(({ severity, rule, line }) => `${severity} ${rule} ${line}`),
  );
}

test("the document in which AWS' provider hides its secrets does nothing at all", () => {
  const document = message(
    part('text/cloud-boothook; charset="us-ascii"', '#!/bin/bash\naws secretsmanager get-secret-value\n'),
    part('text/x-include-url; charset="us-ascii"', 'file:///etc/secret-userdata.txt\n'),
  );
  expect(rules(document, 'ec2')).toEqual(['error mime-part-dropped 5', 'error mime-part-dropped 11']);
});

test("the doubtful parts of the Azure provider's pool are reported", () => {
  const document = kubeadmConfig(
    'joinConfiguration:',
    '  nodeRegistration:',
    `    name: '{{ ds.meta_data["local_hostname"] }}'`,
    '    criSocket: npipe:////./pipe/containerd-containerd',
    '    kubeletExtraArgs:',
    '      cloud-provider: external',
    '      register-with-taints: node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule',
    'postKubeadmCommands:',
    '  - nssm set kubelet start SERVICE_AUTO_START',
    '  - powershell C:/defender-exclude-calico.ps1',
    'users: [{name: capi, groups: Administrators, sshAuthorizedKeys: [ssh-ed25519 AAAA]}]',
  );
  // Its "nssm" does not bring the arguments to the kubelet: images with a service of Windows do not have it.
  expect(rules(document, 'azure')).toEqual([
    'warning runcmd-goes-on 4',
    'warning secret-left-behind 5',
    'warning kubelet-args-lost 5',
    'warning taint-lost 11',
    'warning nssm-missing 13',
  ]);
});

/** What has kept nodes from joining, or made them join wrongly, in the field. */
const TRAPS: Readonly<Record<string, RuleId>> = {
  'one script of cmd.exe, with the exit code of its last line': 'runcmd-goes-on',
  'a host name and commands: a second run': 'hostname-with-commands',
  '1001 from commands runs them again': 'runcmd-exit-code',
  'read-only files on a second run': 'file-read-only',
  'a hashed password': 'user-password-long',
  'braces in a content': 'template-syntax',
  'variables that 1.1.4 does not have': 'template-variable-missing',
  'a script in MIME without a file name': 'mime-no-filename',
  'gzip on Azure': 'gzip-not-unpacked',
  'a first line that is not "#cloud-config"': 'not-recognised',
  'the taint of Cluster API, lost to an argument': 'taint-lost',
  'arguments that the kubelet of an image never sees': 'kubelet-args-lost',
};

test.each(Object.entries(TRAPS))('%s is reported by "%s"', (_, rule) => {
  const { caught, version = '1.1.4', service } = SAMPLES[rule];
  const context = { version, service: service === undefined ? undefined : metadataService(service) };
  const bytes = typeof caught === 'string' ? Buffer.from(caught) : caught;
  const found = lintFile(bytes, context).flatMap(({ findings }) => findings);
  expect(found.filter(({ severity }) => severity !== 'note').map((finding) => finding.rule)).toContain(rule);
});

test('objects in a list are found, and a file that only speaks of a KubeadmConfig is none', () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [{ kind: 'KubeadmConfig', spec: { format: 'ignition' } }] };
  expect(rules(JSON.stringify(list, undefined, 2), 'azure')).toContain('error capi-format 8');
  expect(rules('kind: MachineDeployment\nspec:\n  kind: KubeadmConfigTemplate\n', 'azure')).toEqual([
    'error not-recognised 1',
  ]);
});

test('aliases of aliases, brackets without end and a megabyte are refused in no time', () => {
  const laughs = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefghi'.split('').map((name, index) => {
      const before = String.fromCodePoint('a'.charCodeAt(0) + index);
      return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`;
    }),
  ].join('\n');
  expect(rules(`#cloud-config\n${laughs}\n`, 'azure')).toEqual(['error yaml-invalid 1']);
  expect(rules(`kind: KubeadmConfig\nspec:\n  x: ${'['.repeat(10_000)}\n`, 'azure')[0]).toMatch(/^error yaml-invalid/);
  expect(rules(`## template: jinja\n${'{{ v1.x }}'.repeat(200_000)}`, 'azure')).toEqual(['error too-large 1']);
  expect(rules(`## template: jinja\n#cloud-config\n# ${'{{ v1.instance_id }}'.repeat(3000)}`, 'azure')).toHaveLength(1);
});

test.each([
  ['empty lines', `#cloud-config\n${'\n'.repeat(5000)}runcmd: [dir]\n`],
  ['empty lines and nothing else', '\n'.repeat(60_000)],
  ['blocks that never end', '<script>'.repeat(8000)],
  ['quotes that never end', `#cloud-config\nruncmd: ["it's${' '.repeat(60_000)}"]\n`],
  ['boundaries', `Content-Type: multipart/mixed; boundary=B\n\n${'--B\nx\n'.repeat(10_000)}`],
  [
    'messages in messages',
    `Content-Type: multipart/mixed; boundary=B\n\n--B\n${'Content-Type: message/x\n\n'.repeat(2000)}`,
  ],
  ['semicolons', `Content-Type: multipart/mixed; boundary="${';'.repeat(60_000)}"\n\n`],
  ['blanks', `${message(part('text/plain', ' '.repeat(60_000), undefined, 'quoted-printable'))}x`],
])('many %s are judged in no time', (_, document) => {
  const start = processorMs();
  lintFile(Buffer.from(document), { version: '1.1.4', service: undefined });
  expect(processorMs() - start).toBeLessThan(4000);
});

test('a secret is seen in whichever way it is written', () => {
  const script = `#ps1\n${'# a line that is long enough to be cut\n'.repeat(3)}kubeadm join --token ${TOKEN}\n`;
  const lines =
    Buffer.from(script)
      .toString('base64')
      .match(/.{1,76}/g)
      ?.join('\n') ?? '';
  expect(rules(message(part('text/x-shellscript', lines, 'a.ps1', 'base64')), 'azure')).toContain(
    'warning secret-in-user-data 9',
  );
  expect(rules(`#ps1\n$x = '${Buffer.from(`token: ${TOKEN}`).toString('base64')}'\n`, 'azure')).toEqual([
    'warning secret-in-user-data 2',
  ]);
  expect(rules('#ps1\n-----BEGIN RSA PRIVATE KEY-----\n', 'nocloud')).toEqual([]);
});

test('a file that fails keeps those after it from being written, and lint says so', () => {
  const document = `#cloud-config
write_files:
  - {path: C:\\a, content: a}
  - {path: C:\\b, content: 5}
  - {path: C:\\c, content: c}
`;
  const [report] = lintFile(Buffer.from(document), { version: '1.1.4', service: undefined });
  expect(report?.outcomes.map(({ fate, line }) => [fate, line])).toEqual([
    ['done', 3],
    ['fails', 4],
    ['dropped', 5],
  ]);
});

test('a cloud-config in a part that cannot be loaded is not tried again', () => {
  const [report] = lintFile(Buffer.from(message(part('text/cloud-config', '#cloud-config\nx: [\n'))), {
    version: '1.1.4',
    service: undefined,
  });
  expect(report?.outcomes).toMatchObject([{ fate: 'fails', effect: 'cannot be loaded and is ignored' }]);
});

test("a file of Heat's commands is kept, and run", () => {
  const document = message(part('text/x-cfninitdata', '#ps1\nexit 5\n', 'cfn-userdata'));
  const [report] = lintFile(Buffer.from(document), { version: '1.1.4', service: undefined });
  expect(report?.outcomes.map(({ effect }) => effect.slice(0, 8))).toEqual(['kept for', 'run once']);
});
