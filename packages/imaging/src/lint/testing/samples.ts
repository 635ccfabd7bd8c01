import { gzipSync } from 'node:zlib';
import type { ServiceName } from '../../cloudbase/service.ts';
import type { CloudbaseVersion } from '../../cloudbase/version.ts';
import type { RuleId } from '../rules.ts';
import { config, kubeadmConfig, message, part, TOKEN } from './documents.ts';

/** A document that a rule complains of, and one much like it that it leaves alone. */
export interface Sample {
  readonly caught: string | Uint8Array;
  readonly clean: string | Uint8Array;
  /** The line of the complaint. */
  readonly line: number;
  readonly service?: ServiceName;
  readonly version?: CloudbaseVersion;
  /** Where the same document is not a mistake. */
  readonly cleanVersion?: CloudbaseVersion;
  readonly cleanService?: ServiceName;
}

const SCRIPT = '#ps1_sysnative\nWrite-Output hello\n';
const jinja = (...lines: readonly string[]): string => `## template: jinja\n${config(...lines)}`;
const run = (...commands: readonly string[]): string =>
  config('runcmd:', ...commands.map((command) => `  - ${command}`));
const file = (...lines: readonly string[]): string => config('write_files:', ...lines.map((line) => `  ${line}`));

/** One sample for each rule. */
export const SAMPLES: Readonly<Record<RuleId, Sample>> = {
  empty: { caught: '', clean: SCRIPT, line: 1 },
  'too-large': {
    caught: `${SCRIPT}# ${'x'.repeat(16_384)}\n`,
    clean: `${SCRIPT}# ${'x'.repeat(16_000)}\n`,
    line: 1,
    service: 'ec2',
  },
  'gzip-not-unpacked': {
    caught: gzipSync(SCRIPT),
    clean: gzipSync(SCRIPT),
    line: 1,
    service: 'azure',
    cleanService: 'ec2',
  },
  'gzip-broken': { caught: gzipSync(SCRIPT).subarray(0, 12), clean: gzipSync(SCRIPT), line: 1 },
  'not-text': { caught: Buffer.from([0x23, 0x70, 0x73, 0x31, 0x0a, 0xe4]), clean: SCRIPT, line: 1 },
  'not-recognised': { caught: `\uFEFF${run('dir')}`, clean: run('dir'), line: 1 },
  'certificate-ignored': { caught: '-----BEGIN CERTIFICATE-----\nMIIB\n', clean: SCRIPT, line: 1 },
  'needs-bash': { caught: '#!/usr/bin/env python3\nprint()\n', clean: SCRIPT, line: 1 },
  'needs-python': { caught: '#!/usr/bin/env python\nprint()\n', clean: SCRIPT, line: 1 },
  'ec2-block-open': { caught: 'x\n<powershell>\ndir\n', clean: '<powershell>\ndir\n</powershell>\n', line: 2 },
  'ec2-order': {
    caught: '<powershell>\na\n</powershell>\n<script>\nb\n</script>\n',
    clean: '<powershell>\na\nb\n</powershell>\n',
    line: 1,
  },
  'script-non-ascii': { caught: '#ps1\n\nWrite-Output größe\n', clean: SCRIPT, line: 3 },
  'script-exit-ignored': { caught: '#ps1\nexit 5\n', clean: '#ps1\nexit 1003\n', line: 2 },
  'restart-inside': {
    caught: '#ps1\n# Restart-Computer\nif ($x) { Restart-Computer -Force }\n',
    clean: '#ps1\n# Restart-Computer\nshutdown.exe /r /t 60\nexit 1001\n',
    line: 3,
  },
  'template-engine': { caught: '## template: mako\n#cloud-config\n', clean: jinja('runcmd: [dir]'), line: 1 },
  'template-syntax': {
    caught: jinja('write_files:', '  - path: C:\\x.ps1', '    content: |', '      if ($x) {# note'),
    clean: jinja('write_files:', '  - path: C:\\x.ps1', '    content: |', '      if ($x) { # note'),
    line: 6,
  },
  'template-variable-missing': {
    caught: jinja('ntp:', '  servers:', '    - "{{ local_hostname }}"'),
    clean: jinja('ntp:', '  servers:', '    - "{{ local_hostname }}"'),
    line: 5,
    version: '1.1.6',
    cleanVersion: '1.1.7',
  },
  'template-variable-unknown': {
    caught: jinja('timezone: "{{ ds.meta_data.zone }}"'),
    clean: jinja('timezone: "{{ ds.meta_data["hostname"] }}"'),
    line: 3,
    version: '1.1.7',
  },
  'template-text-lost': {
    caught: jinja('runcmd:', '  - "powershell {# all of it #}"'),
    clean: jinja('runcmd:', '  - "powershell {% raw %}{# all of it #}{% endraw %}"'),
    line: 4,
  },
  'template-undecided': {
    caught: jinja('timezone: "{{ v1.local_hostname | upper }}"'),
    clean: jinja('timezone: "{{ v1.local_hostname }}"'),
    line: 3,
  },
  'template-not-rendered': {
    caught: config('timezone: "{{ v1.local_hostname }}"'),
    clean: jinja('timezone: "{{ v1.local_hostname }}"'),
    line: 2,
  },
  'template-in-part': {
    caught: message(part('text/cloud-config', jinja('timezone: UTC'))),
    clean: message(part('text/cloud-config', config('timezone: UTC'))),
    line: 7,
  },
  'mime-not-recognised': {
    caught: message(part('text/cloud-config', config('timezone: UTC'))).replace('Content-Type: m', 'content-type: m'),
    clean: message(part('text/cloud-config', config('timezone: UTC'))),
    line: 1,
  },
  'mime-by-accident': {
    caught: run('echo Content-Type: multipart').replaceAll('\n', '\r\n'),
    clean: config('', 'runcmd:', '  - echo Content-Type; multipart').replaceAll('\n', '\r\n'),
    line: 3,
  },
  'mime-boundary': {
    caught: message(part('text/cloud-config', config('timezone: UTC'))).replaceAll('\n--=', '\n--'),
    clean: message(part('text/cloud-config', config('timezone: UTC'))),
    line: 1,
  },
  'mime-unterminated': {
    caught: message(part('text/cloud-config', config('timezone: UTC'))).replace(/--=cut=--\n$/, ''),
    clean: message(part('text/cloud-config', config('timezone: UTC'))),
    line: 1,
  },
  'mime-part-dropped': {
    caught: message(part('text/cloud-boothook', '#!/bin/bash\n'), part('text/x-include-url', 'file:///x\n')),
    clean: message(part('text/x-shellscript', SCRIPT, 'a.ps1')),
    line: 5,
  },
  'mime-no-filename': {
    caught: message(part('text/x-shellscript', SCRIPT)),
    clean: message(part('text/x-shellscript', SCRIPT, 'a.ps1')),
    line: 5,
  },
  'mime-filename-path': {
    caught: message(part('text/x-shellscript', SCRIPT, 'C:/a.ps1')),
    clean: message(part('text/x-shellscript', SCRIPT, 'a.ps1')),
    line: 5,
  },
  'mime-extension': {
    caught: message(part('text/x-shellscript', 'Write-Output hello\n', 'a.txt')),
    clean: message(part('text/x-shellscript', SCRIPT, 'a.txt')),
    line: 5,
  },
  'mime-non-ascii': {
    caught: message(part('text/cloud-config', config('timezone: größe'))),
    clean: message(part('text/cloud-config', config('timezone: UTC'))),
    line: 8,
  },
  'mime-bad-encoding': {
    caught: message(part('text/cloud-config', 'not base64!', undefined, 'base64')),
    clean: message(
      part('text/cloud-config', Buffer.from(config('timezone: UTC')).toString('base64'), undefined, 'base64'),
    ),
    line: 5,
  },
  'mime-last-status': {
    caught: message(part('text/x-shellscript', SCRIPT, 'a.ps1'), part('text/plain', 'x')),
    clean: message(part('text/x-shellscript', SCRIPT, 'a.ps1')).replace(/--=cut=--\n$/, ''),
    line: 5,
  },
  'mime-part-handler': {
    caught: message(part('text/part-handler', 'def list_types(): pass\n', 'handler.py')),
    clean: message(part('text/x-shellscript', SCRIPT, 'a.ps1')),
    line: 5,
  },
  'yaml-invalid': { caught: run('"C:\\temp\\x"'), clean: run("'C:\\temp\\x'"), line: 3 },
  'cloud-config-empty': { caught: '#cloud-config\n# nothing\n', clean: run('dir'), line: 1 },
  'key-dropped': { caught: config('runcmd: [dir]', 'bootcmd: [dir]'), clean: config('runcmd: [dir]'), line: 3 },
  'key-repeated': { caught: config('runcmd: [dir]', 'runcmd: [cd]'), clean: config('runcmd: [dir]'), line: 2 },
  'value-type': { caught: config('runcmd: dir'), clean: config('runcmd: [dir]'), line: 2 },
  'ntp-nothing': {
    caught: config('ntp: {enabled: true}'),
    clean: config('ntp: {servers: [pool.example]}'),
    line: 2,
  },
  'path-escape': { caught: run('dir', '"dir C:\\temp"'), clean: run('dir', '"dir C:\\\\temp"'), line: 4 },
  'hostname-with-commands': { caught: config('runcmd: [dir]', 'hostname: win-1'), clean: run('dir'), line: 3 },
  'hostname-reboot': { caught: config('set_hostname: win-1'), clean: config('timezone: UTC'), line: 2 },
  'hostname-shortened': {
    caught: config('hostname: a-name-of-16-let'),
    clean: config('hostname: name-of-15-lett'),
    line: 2,
  },
  'file-incomplete': { caught: file('- path: C:\\x'), clean: file('- path: C:\\x', '  content: a'), line: 3 },
  'file-content-type': {
    caught: file('- path: C:\\x', '  content: 5'),
    clean: file('- path: C:\\x', '  content: "5"'),
    line: 4,
  },
  'file-relative-path': {
    caught: file('- path: x.txt', '  content: a'),
    clean: file('- path: /x.txt', '  content: a'),
    line: 3,
  },
  'file-encoding': {
    caught: file('- path: C:\\x', '  encoding: base64', '  content: abc'),
    clean: file('- path: C:\\x', '  encoding: base64', '  content: YWJj'),
    line: 4,
  },
  'file-read-only': {
    caught: file('- path: C:\\x', '  content: a', "  permissions: '0400'"),
    clean: file('- path: C:\\x', '  content: a', "  permissions: '0600'"),
    line: 5,
  },
  'file-permissions': {
    caught: file('- path: C:\\x', '  content: a', '  permissions: rw-r--r--'),
    clean: file('- path: C:\\x', '  content: a', '  permissions: 0644'),
    line: 5,
  },
  'file-key-ignored': {
    caught: file('- path: C:\\x', '  content: a', '  defer: true'),
    clean: file('- path: C:\\x', '  content: a', '  append: true'),
    line: 5,
  },
  'runcmd-item': { caught: run('dir', '5'), clean: run('dir', '"5"'), line: 4 },
  'runcmd-goes-on': { caught: run('dir', 'cd'), clean: run('"dir || exit /b 1"', 'echo done'), line: 2 },
  'runcmd-call': { caught: run('C:\\setup.cmd /q', 'dir'), clean: run('call C:\\setup.cmd /q', 'dir'), line: 3 },
  'runcmd-exit': { caught: run('exit /b 0', 'dir'), clean: run('dir', 'exit /b 0'), line: 3 },
  'runcmd-exit-code': { caught: run('dir', 'exit 1001'), clean: run('dir', 'exit 1003'), line: 4 },
  'runcmd-percent': { caught: run('echo 50% off'), clean: run('echo 50%% off %TEMP%'), line: 3 },
  'runcmd-lines': { caught: run('"dir\\ncd"'), clean: run('"dir"'), line: 3 },
  'runcmd-list': { caught: run('[dir, "C:\\\\Program Files"]'), clean: run('[dir, "C:\\\\Windows"]'), line: 3 },
  'runcmd-word': { caught: run('[choco, install, x, 1.10]'), clean: run('[choco, install, x, "1.10", 5]'), line: 3 },
  'runcmd-caret': { caught: run('echo a ^', 'dir'), clean: run('echo a ^^', 'dir'), line: 3 },
  'runcmd-quotes': { caught: run(`"echo 'a & b'"`), clean: run(`"powershell -Command echo 'a b'"`), line: 3 },
  'runcmd-non-ascii': { caught: run('echo größe'), clean: run('echo size'), line: 3 },
  'runcmd-long-line': { caught: run(`echo ${'x'.repeat(8192)}`), clean: run(`echo ${'x'.repeat(8000)}`), line: 3 },
  'runcmd-posix': { caught: run('mkdir -p /etc/x'), clean: run('mkdir C:\\etc\\x'), line: 3 },
  'user-no-name': { caught: config('users:', '  - default'), clean: config('users:', '  - name: capi'), line: 3 },
  'user-password-long': {
    caught: config('users:', '  - name: capi', '    passwd: $6$salt$0123456789abcdef'),
    clean: config('users:', '  - name: capi'),
    line: 4,
  },
  'user-password': {
    caught: config('users:', '  - name: capi', '    passwd: Passw0rd!'),
    clean: config('users:', '  - name: capi'),
    line: 4,
  },
  'user-value': {
    caught: config('users:', '  - name: capi', '    passwd: 12345678'),
    clean: config('users:', '  - name: capi', '    expiredate: "2030-02-28"'),
    line: 4,
  },
  'user-expire-date': {
    caught: config('users:', '  - name: capi', '    expiredate: 2030-12-31'),
    clean: config('users:', '  - name: capi', '    expiredate: "2030-12-31"'),
    line: 4,
  },
  'user-inactive': {
    caught: config('users:', '  - name: capi', '    inactive: true'),
    clean: config('users:', '  - name: capi', '    inactive: true', '    no_create_home: true'),
    line: 4,
  },
  'user-groups': {
    caught: config('users:', '  - name: capi', '    groups: Users,Guests'),
    clean: config('users:', '  - name: capi', '    groups: Users, Guests'),
    line: 4,
  },
  'user-administrator-keys': {
    caught: config(
      'users:',
      '  - name: capi',
      '    groups: Administrators',
      '    ssh_authorized_keys: [ssh-ed25519 AAAA]',
    ),
    clean: config('users:', '  - name: capi', '    groups: Users', '    ssh_authorized_keys: [ssh-ed25519 AAAA]'),
    line: 5,
  },
  'group-entry': {
    caught: config('groups:', '  - operators:'),
    clean: config('groups:', '  - operators: []', '  - guests'),
    line: 3,
  },
  'group-user-missing': {
    caught: config('users: [{name: anna}]', 'groups:', '  - operators: [anna]'),
    clean: config('users: [{name: anna, groups: [operators]}]', 'groups: [operators]'),
    line: 4,
  },
  'user-key-ignored': {
    caught: config('users:', '  - name: capi', '    sudo: ALL'),
    clean: config('users:', '  - name: capi', '    gecos: Cluster'),
    line: 4,
  },
  'secret-in-user-data': {
    caught: `#ps1\nkubeadm join --token ${TOKEN}\n`,
    clean: '#ps1\nkubeadm join --token $token\n',
    line: 2,
  },
  'secret-left-behind': {
    caught: config('write_files:', '  - path: C:\\join.yaml', `    content: "token: ${TOKEN}"`, 'runcmd: [dir]'),
    clean: config(
      'write_files:',
      '  - path: C:\\join.yaml',
      `    content: "token: ${TOKEN}"`,
      'runcmd: ["del C:\\\\join.yaml"]',
    ),
    line: 3,
  },
  'taint-lost': {
    caught: kubeadmConfig(
      'joinConfiguration:',
      '  nodeRegistration:',
      '    kubeletExtraArgs:',
      '      register-with-taints: a=b:NoSchedule',
    ),
    clean: kubeadmConfig(
      'joinConfiguration:',
      '  nodeRegistration:',
      '    taints: [{key: a, value: b, effect: NoSchedule}]',
    ),
    line: 8,
  },
  'kubelet-args-lost': {
    caught: kubeadmConfig('joinConfiguration:', '  nodeRegistration: {kubeletExtraArgs: {v: "2"}}'),
    clean: kubeadmConfig(
      'joinConfiguration:',
      '  nodeRegistration: {kubeletExtraArgs: {v: "2"}}',
      'postKubeadmCommands:',
      '  - if exist C:\\k\\RestartKubelet.ps1 powershell.exe -File C:\\k\\RestartKubelet.ps1',
    ),
    line: 5,
  },
  'cri-socket': {
    caught: kubeadmConfig(
      'joinConfiguration:',
      '  nodeRegistration:',
      '    criSocket: unix:///run/containerd/containerd.sock',
    ),
    clean: kubeadmConfig(
      'joinConfiguration:',
      '  nodeRegistration:',
      '    criSocket: npipe:////./pipe/containerd-containerd',
    ),
    line: 7,
  },
  'sentinel-missing': {
    caught: run('kubeadm join --config C:\\x.yaml'),
    clean: run('kubeadm join --config C:\\x.yaml && echo success > C:\\run\\cluster-api\\bootstrap-success.complete'),
    line: 3,
  },
  'nssm-missing': {
    caught: kubeadmConfig('postKubeadmCommands:', '  - nssm set kubelet start SERVICE_AUTO_START'),
    clean: kubeadmConfig('postKubeadmCommands:', '  - sc.exe config kubelet start= auto'),
    line: 6,
  },
  'capi-format': { caught: kubeadmConfig('format: ignition'), clean: kubeadmConfig('format: cloud-config'), line: 5 },
  'capi-field': {
    caught: kubeadmConfig('preKubeadmCommand: [dir]'),
    clean: kubeadmConfig('preKubeadmCommands: [dir]'),
    line: 5,
  },
  'capi-limit': {
    caught: kubeadmConfig('preKubeadmCommands:', `  - "rem ${'x'.repeat(10_240)}"`),
    clean: kubeadmConfig('preKubeadmCommands:', `  - "rem ${'x'.repeat(8000)}"`),
    line: 6,
  },
  'capi-false': {
    caught: kubeadmConfig('users: [{name: capi, inactive: false}]'),
    clean: kubeadmConfig('users: [{name: capi}]'),
    line: 5,
  },
  'capi-field-idle': {
    caught: kubeadmConfig('useExperimentalRetryJoin: true'),
    clean: kubeadmConfig('verbosity: 4'),
    line: 5,
  },
  'capi-secrets-manager': {
    caught: kubeadmConfig('verbosity: 4'),
    clean: kubeadmConfig('verbosity: 4'),
    line: 4,
    service: 'ec2',
    cleanService: 'azure',
  },
};
