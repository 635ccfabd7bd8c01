import { expect, test } from 'vitest';
import { importInventory, importedText } from './import-inventory.ts';
import { importK0sctl } from './k0sctl-import.ts';

const FILE = `apiVersion: k0sctl.k0sproject.io/v1beta1
kind: Cluster
spec:
  hosts:
    - role: controller+worker
      hostname: one
      installFlags: [--debug]
      ssh:
        address: 192.0.2.1
        user: admin
        port: 2222
        keyPath: ~/.ssh/id
        bastion: { address: jump.example, user: me }
    - role: worker
      os: windows
      openSSH: { address: win.example, configPath: ~/.ssh/config }
    - role: worker
      ssh: { address: 192.0.2.3, keyPath: "\${KEY}" }
    - role: worker
      winRM: { address: 192.0.2.4, password: x }
    - role: worker
      localhost: { enabled: true }
    - role: worker
  k0s: { version: 1.30.0+k0s.0 }
---
kind: ConfigMap
`;

test('the hosts of a k0sctl file become nodes; the rest is noted', () => {
  const { content, remarks } = importK0sctl(FILE, 'k0sctl.yaml');
  expect(content.nodes).toEqual([
    {
      nodeName: 'one',
      labels: { role: 'controller-worker' },
      ssh: {
        ip: '192.0.2.1',
        port: 2222,
        username: 'admin',
        auth: { type: 'privateKey', privateKeyAuth: { privateKeyPath: '~/.ssh/id' } },
        jump: { ip: 'jump.example', username: 'me' },
      },
    },
    {
      nodeName: 'win.example',
      os: 'windows',
      labels: { role: 'worker' },
      ssh: { ip: 'win.example', transport: 'system' },
    },
    { nodeName: '192.0.2.3', labels: { role: 'worker' }, ssh: { ip: '192.0.2.3', username: 'root' } },
  ]);
  expect(remarks).toEqual([
    'A document of kind "ConfigMap" was left out',
    '"spec.k0s" is about k0s itself and was left out',
    'Key "installFlags" of hosts has no meaning here and was left out',
    'Key "configPath" of ssh has no meaning here and was left out',
    'The value of "keyPath" comes from the environment and was left out',
    'spec.hosts[3] was left out: WinRM is not supported; set up OpenSSH on the machine',
    'spec.hosts[4] was left out: it is this machine; use "keadm join" for it',
    'spec.hosts[5] was left out: it has no address',
  ]);
});

test.each([
  ['kind: Cluster', 'is not a file of k0sctl'],
  ['apiVersion: k0sctl.k0sproject.io/v1beta1', 'has no list "spec.hosts"'],
])('%j: %s', (text, message) => {
  expect(() => importK0sctl(text, 'k.yaml')).toThrow(message);
});

test('what is written can be put into a batch file: remarks as comments, the command in the defaults', () => {
  const imported = importInventory('csv', 'name,ip,colour\na,192.0.2.1,red\n', 'n.csv');
  expect(importedText(imported, 'reset --force'))
    .toBe(`# Column "colour" is not known and was left out; call it "label.NAME" to keep it as a label
defaults:
  keadmCmd: reset --force
nodes:
  - nodeName: a
    ssh:
      ip: 192.0.2.1
`);
});
