import { expect, test } from 'vitest';
import { importCsv } from './csv-import.ts';
import { parseCsv } from './csv-table.ts';

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n"1;x";" 2"\r\n',
    [
      ['a', 'b'],
      ['1;x', '2'],
    ],
  ],
  [
    'a\tb\n\n1\t\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'a,b\n"say ""hi""","x\ny"',
    [
      ['a', 'b'],
      ['say "hi"', 'x\ny'],
    ],
  ],
])('%j is read', (text, cells) => {
  const table = parseCsv(text);
  expect('rows' in table && table.rows.map((row) => row.cells)).toEqual(cells);
});

test('rows become nodes, by what their columns are called', () => {
  const { content, remarks } = importCsv(
    `Node Name,IP,Port,User,OS,Groups,label.country,labels,Private Key,rack,rack no
shop-1,192.0.2.1,2222,admin,Windows,shops north,de,kind=shop;size=2,~/.ssh/id,7,8
,2001:db8::2,,,,,,,,,
`,
    'nodes.csv',
  );
  expect(content.groups).toEqual({ shops: {}, north: {} });
  expect(content.nodes).toEqual([
    {
      nodeName: 'shop-1',
      groups: ['shops', 'north'],
      os: 'windows',
      labels: { country: 'de', kind: 'shop', size: '2' },
      ssh: {
        ip: '192.0.2.1',
        port: 2222,
        username: 'admin',
        auth: { type: 'privateKey', privateKeyAuth: { privateKeyPath: '~/.ssh/id' } },
      },
    },
    { nodeName: '2001-db8-2', ssh: { ip: '2001:db8::2' } },
  ]);
  expect(remarks).toEqual([
    'Column "rack" is not known and was left out; call it "label.NAME" to keep it as a label',
    'Column "rack no" is not known and was left out; call it "label.NAME" to keep it as a label',
  ]);
});

test('a cell can name several groups, which are all created, and a changed name is noted', () => {
  const { content, remarks } = importCsv(
    'name,ip,group\nshop 2,192.0.2.2,"shops,big"\n"b\nc",192.0.2.3,shops; b&w |big\n192.0.2.4,192.0.2.4,b&w',
    'n.csv',
  );
  expect(content.groups).toEqual({ shops: {}, big: {}, 'b-w': {} });
  expect(content.nodes.map(({ nodeName, groups }) => [nodeName, groups])).toEqual([
    ['shop-2', ['shops', 'big']],
    ['b-c', ['shops', 'b-w', 'big']],
    ['192.0.2.4', ['b-w']],
  ]);
  expect(remarks).toEqual([
    'The name "shop 2" is called "shop-2" here',
    'The name "b c" is called "b-c" here',
    'The group "b&w" is called "b-w" here (2 times)',
  ]);
});

test('all problems are reported at once, with their lines', () => {
  const text = 'name,ip,port,os,label.x\na,,0,plan9,!\nb,h,1,linux,x,y,z\n';
  expect(() => importCsv(text, 'n.csv')).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: [
        'Cannot import "n.csv": 5 problem(s)',
        '  n.csv:2 has no address',
        '  n.csv:2 has a port that is not a number from 1 to 65535',
        '  n.csv:2 has an os that is neither "linux" nor "windows"',
        '  n.csv:2 has a value for the label "x" that is not a valid label value',
        '  n.csv:3 has 7 values for 5 columns',
      ].join('\n'),
    }),
  );
});

test.each([
  ['', 'n.csv:1 is empty'],
  ['name,port\na,1', 'n.csv:1 names no column "ip"'],
  ['ip\n"x', 'n.csv:2 has a quote that is never closed'],
])('%j: %s', (text, message) => {
  expect(() => importCsv(text, 'n.csv')).toThrow(message);
});
