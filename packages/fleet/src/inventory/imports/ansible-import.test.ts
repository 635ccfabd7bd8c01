import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandRange } from './ansible-inventory.ts';
import { importAnsible } from './ansible-import.ts';

const INI = `# all of it
bastion ansible_host=192.0.2.1 ansible_port=2222

[shops]
shop[01:02].example ansible_user=admin rack=7   # a remark
[2001:db8::7]:23
win ansible_shell_type=powershell ansible_password='it is; secret'
old ansible_connection=winrm

[halls]
hall-[a:b]

[sites:children]
shops
halls

[sites:vars]
ansible_ssh_private_key_file = ~/.ssh/site
ansible_become=yes
ansible_become_password="{{ vault_sudo }}"
ansible_ssh_common_args='-o ProxyJump=me@jump.example:2200'

[all:vars]
ansible_user=root
ansible_python_interpreter=/usr/bin/python3
`;

test('an inventory in INI form becomes defaults, groups and nodes; the rest is noted', () => {
  const { content, remarks } = importAnsible(INI, 'hosts');
  expect(content.defaults).toEqual({ ssh: { username: 'root' } });
  expect(content.groups).toEqual({
    shops: {},
    halls: {},
    sites: {
      become: { enable: true },
      ssh: {
        auth: { type: 'privateKey', privateKeyAuth: { privateKeyPath: '~/.ssh/site' } },
        jump: [{ ip: 'jump.example', username: 'me', port: 2200 }],
      },
    },
  });
  expect(content.nodes).toEqual([
    { nodeName: 'bastion', ssh: { ip: '192.0.2.1', port: 2222 } },
    { nodeName: 'shop01.example', groups: ['sites', 'shops'], ssh: { ip: 'shop01.example', username: 'admin' } },
    { nodeName: 'shop02.example', groups: ['sites', 'shops'], ssh: { ip: 'shop02.example', username: 'admin' } },
    { nodeName: '2001-db8-7', groups: ['sites', 'shops'], ssh: { ip: '[2001:db8::7]', port: 23 } },
    {
      nodeName: 'win',
      groups: ['sites', 'shops'],
      os: 'windows',
      ssh: { ip: 'win', auth: { type: 'password', passwordAuth: { password: 'it is; secret' } } },
    },
    { nodeName: 'hall-a', groups: ['sites', 'halls'], ssh: { ip: 'hall-a' } },
    { nodeName: 'hall-b', groups: ['sites', 'halls'], ssh: { ip: 'hall-b' } },
  ]);
  expect(remarks).toEqual([
    'Variable "ansible_python_interpreter" has no meaning here and was left out',
    'Variable "ansible_become_password" is computed by Ansible and was ignored',
    'Variable "rack" has no meaning here and was left out (2 times)',
    'Host "old" was left out: its connection is "winrm", and only ssh is supported',
  ]);
});

test('an inventory in YAML form says the same', () => {
  const { content, remarks } = importAnsible(
    `all:
  vars: { ansible_user: root }
  hosts:
    bastion: { ansible_host: 192.0.2.1, ansible_port: 2222 }
  children:
    sites:
      vars: { ansible_become: true, ansible_become_method: su, ansible_ssh_common_args: -o ControlMaster=auto }
      children:
        shops:
          hosts:
            shop[1:2]:
            odd[1:x]:
          priority: 5
`,
    'hosts.yml',
  );
  expect(content).toEqual({
    defaults: { ssh: { username: 'root' } },
    groups: { sites: {}, shops: {} },
    nodes: [
      { nodeName: 'bastion', ssh: { ip: '192.0.2.1', port: 2222 } },
      { nodeName: 'shop1', groups: ['sites', 'shops'], ssh: { ip: 'shop1' } },
      { nodeName: 'shop2', groups: ['sites', 'shops'], ssh: { ip: 'shop2' } },
    ],
  });
  expect(remarks).toEqual([
    'Host "odd[1:x]" has a range that cannot be read and was left out',
    'Key "priority" of the group "shops" is not known and was left out',
    'Arguments for ssh ("ansible_ssh_common_args") were ignored; put them into your ssh configuration and set "transport: system"',
    'The way "su" to become another user is not supported and was ignored',
  ]);
});

test('unreadable lines are reported', () => {
  expect(() => importAnsible('[a b]\nhost x\n[g:vars]\nnothing\n[h]\nw[3:1]\n', 'hosts')).toThrow(
    [
      'Cannot import "hosts": 4 problem(s)',
      '  hosts:1 has a section that is none of "[group]", "[group:children]" and "[group:vars]"',
      '  hosts:2 has something after the host that is not "name=value"',
      '  hosts:4 is not "name=value"',
      '  hosts:6 has a range that cannot be read',
    ].join('\n'),
  );
  expect(() => importAnsible('bad[1:\n[x:vars\n[g] a=b\n[1:2\nx]\n[5:1]web\n', 'hosts')).toThrow(
    [
      'Cannot import "hosts": 6 problem(s)',
      '  hosts:1 has a range that cannot be read',
      '  hosts:2 has a section that is none of "[group]", "[group:children]" and "[group:vars]"',
      '  hosts:3 has a section that is none of "[group]", "[group:children]" and "[group:vars]"',
      '  hosts:4 has a section that is none of "[group]", "[group:children]" and "[group:vars]"',
      '  hosts:5 has a range that cannot be read',
      '  hosts:6 has a range that cannot be read',
    ].join('\n'),
  );
  expect(() => importAnsible('a: [', 'hosts.yml')).toThrow('hosts.yml:1 is not valid YAML');
  expect(() => importAnsible('just text', 'hosts.yml')).toThrow('hosts.yml:1 holds no groups');
});

const VAULT = '$ANSIBLE_VAULT;1.1;AES256\n          6162';

test('values that Ansible encrypted are left out and noted with what to do', () => {
  const yaml = `all:
  vars: { ansible_ssh_pass: !unsafe plain, ansible_port: !!int 22, rack: !vault x }
  hosts:
    a:
      ansible_password: !vault |
          ${VAULT}
      ansible_become_password: "$ANSIBLE_VAULT;1.1;AES256"
      ansible_user: !vault-encrypted x
    b: { ansible_password: { __ansible_vault: x } }
`;
  const { content, remarks } = importAnsible(yaml, 'hosts.yml');
  expect(content).toEqual({
    defaults: { ssh: { port: 22, auth: { type: 'password', passwordAuth: { password: 'plain' } } } },
    groups: undefined,
    nodes: [
      { nodeName: 'a', ssh: { ip: 'a' } },
      { nodeName: 'b', ssh: { ip: 'b' } },
    ],
  });
  const by = 'was ignored; give it by "env:", "file:" or "command:"';
  expect(remarks).toEqual([
    'Variable "rack" has no meaning here and was left out',
    `Variable "ansible_password" is encrypted by Ansible and ${by} (2 times)`,
    'Variable "ansible_user" is encrypted by Ansible and was ignored; write it into the batch file',
    `Variable "ansible_become_password" is encrypted by Ansible and ${by}`,
  ]);
});

test.each(['hosts', 'hosts.yml'])('the file %s that Ansible encrypted is reported as encrypted', (name) => {
  expect(() => importAnsible(VAULT, name)).toThrow(`${name}:1 is encrypted: import what "ansible-vault view" prints`);
});

test('an address in brackets needs no port, and one in YAML may have it', () => {
  const ini = importAnsible('[2001:db8::7] ansible_user=u\n[2001:db8::8]\n[g]# remark\n[a:b]-1:23\n', 'hosts');
  expect(ini.content.nodes.map(({ ssh }) => ssh)).toEqual([
    { ip: '[2001:db8::7]', username: 'u' },
    { ip: '[2001:db8::8]' },
    { ip: 'a-1', port: 23 },
    { ip: 'b-1', port: 23 },
  ]);
  const yaml = importAnsible('all: { hosts: { "[2001:db8::7]:23": {}, "web:24": {} } }', 'hosts.yml');
  expect(yaml.content.nodes.map(({ ssh }) => ssh)).toEqual([
    { ip: '[2001:db8::7]', port: 23 },
    { ip: 'web', port: 24 },
  ]);
});

test('groups that hold each other do not hang it', () => {
  expect(importAnsible('[a]\nh\n[a:children]\nb\n[b:children]\na\n', 'hosts').content.nodes).toEqual([
    { nodeName: 'h', groups: expect.arrayContaining(['a', 'b']), ssh: { ip: 'h' } },
  ]);
});

test.each([
  ['web[08:11]', ['web08', 'web09', 'web10', 'web11']],
  ['web[1:7:3].x', ['web1.x', 'web4.x', 'web7.x']],
  ['[a:b][1:2]', ['a1', 'a2', 'b1', 'b2']],
  ['[2001:db8::7]', ['[2001:db8::7]']],
  ['plain', ['plain']],
  ['w[5:1]', undefined],
  ['w[1:9999999]', undefined],
  ['w[1:b]', undefined],
  ['w[1:', undefined],
  ['w[1-3]', undefined],
  ['[shops]', undefined],
])('%s stands for %j', (pattern, names) => {
  expect(expandRange(pattern)).toEqual(names);
});

test('a range of numbers has as many hosts as it says', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), (first, more) => {
      expect(expandRange(`n[${first}:${first + more}]`)).toHaveLength(more + 1);
    }),
  );
});
