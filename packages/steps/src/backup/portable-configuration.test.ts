import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { portableConfiguration, relocateConfiguration } from './portable-configuration.ts';

const TEXT = `# the node at the gate
database:
  dataSource: /var/lib/kubeedge/edgecore.db # on the fast disk
modules:
  edgeHub:
    # from the cloud
    token: abc.def
    tlsCaFile: /etc/kubeedge/ca/rootCA.crt
  edged:
    hostnameOverride: gate
`;

test('the token goes, comments stay', () => {
  const portable = portableConfiguration(TEXT, 'gate');
  expect(portable).not.toContain('abc.def');
  expect(portable).toContain('# the node at the gate');
  expect(portable).toContain('# on the fast disk');
});

test('a configuration without a token is left as it is, to the letter', () => {
  const text = TEXT.replace('abc.def', "''").replaceAll('  ', '    ');
  expect(portableConfiguration(text, 'gate')).toBe(text);
});

test("a node that had its machine's name keeps it on another machine", () => {
  expect(portableConfiguration('modules:\n  edgeHub:\n    heartbeat: 5\n', 'gate')).toContain('hostnameOverride: gate');
});

test.each(['x: &hub\n  token: abc\nmodules:\n  edgeHub: *hub\n', 'x: abc\nmodules:\n  edgeHub:\n    token: abc\n'])(
  'a token that would stay is a reason to refuse',
  (text) => {
    expect(() => portableConfiguration(text, 'gate')).toThrow(OperatorError);
  },
);

test('paths follow the folders they are in, and nothing else moves', () => {
  const moves = [
    { from: '/etc/kubeedge', to: '/srv/node/etc/kubeedge' },
    { from: '/var/lib/kubeedge', to: '/srv/node/var/lib/kubeedge' },
  ];
  const moved = relocateConfiguration(`${TEXT}other: /etc/kubeedge-old/x\n`, moves);
  expect(moved).toContain('tlsCaFile: /srv/node/etc/kubeedge/ca/rootCA.crt');
  expect(moved).toContain('dataSource: /srv/node/var/lib/kubeedge/edgecore.db # on the fast disk');
  expect(moved).toContain('other: /etc/kubeedge-old/x');
});

test('where nothing moved, the text is the same to the letter', () => {
  expect(relocateConfiguration(TEXT, [{ from: '/etc/kubeedge', to: '/etc/kubeedge' }])).toBe(TEXT);
});
