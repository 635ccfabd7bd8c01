import type { NodeSettings } from '../file/schema.ts';
import { jumpHost, nameJumps } from './csv-jumps.ts';
import { type CsvRow, parseCsv } from './csv-table.ts';
import {
  allowedName,
  given,
  type ImportedInventory,
  isLabelValue,
  keyAuth,
  newRemarks,
  portOf,
  type Remarks,
  unreadable,
} from './imported.ts';

const COLUMNS: Readonly<Record<string, string>> = {
  nodename: 'name',
  name: 'name',
  node: 'name',
  hostname: 'name',
  ip: 'address',
  host: 'address',
  address: 'address',
  ipaddress: 'address',
  port: 'port',
  username: 'user',
  user: 'user',
  os: 'os',
  group: 'groups',
  groups: 'groups',
  labels: 'labels',
  key: 'key',
  privatekey: 'key',
  privatekeypath: 'key',
  keyfile: 'key',
  password: 'password',
  jump: 'jump',
  hostkey: 'hostKey',
  copyfrom: 'copyFrom',
  keadmcmd: 'command',
  command: 'command',
};

/** Makes nodes of a table whose first row names its columns; `label.x` and `labels.x` are labels. */
export function importCsv(text: string, fileName: string): ImportedInventory {
  const table = parseCsv(text);
  if ('unclosedAt' in table) throw unreadable(fileName, [`${table.unclosedAt} has a quote that is never closed`]);
  const [header, ...rows] = table.rows;
  if (header === undefined) throw unreadable(fileName, ['1 is empty']);
  const columns = header.cells.map(columnOf);
  if (!columns.includes('address')) {
    throw unreadable(fileName, [`${header.line} names no column "ip" (or "host" or "address") in the first row`]);
  }
  const remarks = newRemarks();
  for (const [index, column] of columns.entries()) {
    if (column === undefined) {
      remarks.add(
        `Column "${header.cells[index]}" is not known and was left out; call it "label.NAME" to keep it as a label`,
      );
    }
  }
  const problems: string[] = [];
  const nodes = rows.map((row) => nodeOf(row, { columns, problems, remarks }));
  if (problems.length > 0) throw unreadable(fileName, problems);
  const { nodes: named, jumps } = nameJumps(nodes, remarks);
  return { content: { groups: groupsContent(nodes), jumps, nodes: named }, remarks: remarks.list() };
}

interface RowReading {
  readonly columns: readonly (string | undefined)[];
  readonly problems: string[];
  readonly remarks: Remarks;
}

/** The groups that nodes name have to be there, even if a table has nothing to say of them. */
function groupsContent(nodes: readonly NodeSettings[]): ImportedInventory['content']['groups'] {
  const names = new Set(nodes.flatMap(({ groups = [] }) => groups));
  return names.size === 0 ? undefined : Object.fromEntries([...names].map((name) => [name, {}]));
}

function columnOf(title: string): string | undefined {
  const [, label] = /^labels?[.:](.+)$/i.exec(title) ?? [];
  return label === undefined ? COLUMNS[title.toLowerCase().replaceAll(/[\s_-]/g, '')] : `labels.${label}`;
}

function nodeOf({ line, cells }: CsvRow, { columns, problems, remarks }: RowReading): NodeSettings {
  if (cells.length > columns.length) problems.push(`${line} has ${cells.length} values for ${columns.length} columns`);
  const read = (column: string): string | undefined => cells[columns.indexOf(column)] || undefined;
  const complain = (message: string): void => void problems.push(`${line} ${message}`);
  const ip = read('address');
  if (ip === undefined) complain('has no address');
  const [port, key, password] = [read('port'), read('key'), read('password')];
  if (port !== undefined && portOf(port) === undefined) complain('has a port that is not a number from 1 to 65535');
  const auth = password === undefined ? key && keyAuth(key) : { type: 'password' as const, passwordAuth: { password } };
  return {
    nodeName: allowedName('name', read('name') ?? ip ?? '', remarks),
    groups: groupsOf(read('groups') ?? '', remarks),
    os: osOf(read('os'), complain),
    labels: labelsOf(cells, columns, complain),
    keadmCmd: read('command'),
    copyFrom: read('copyFrom'),
    ssh: given({
      ip,
      port: port === undefined ? undefined : portOf(port),
      username: read('user'),
      auth: auth === '' ? undefined : auth,
      hostKey: read('hostKey'),
      jump: jumpsOf(read('jump') ?? '', complain),
    }),
  };
}

function groupsOf(cell: string, remarks: Remarks): string[] | undefined {
  const names = wordsIn(cell);
  return names.length === 0 ? undefined : names.map((name) => allowedName('group', name, remarks));
}

/** The machines on the way as they are written; they get names when all rows are read. */
function jumpsOf(cell: string, complain: (message: string) => void): string[] | undefined {
  const words = wordsIn(cell);
  for (const word of words)
    if (jumpHost(word) === undefined) complain('has a jump host that is not written like "user@host:port"');
  return words.length === 0 ? undefined : words;
}

function wordsIn(cell: string): string[] {
  return cell.split(/[\s;|,]+/).filter((word) => word !== '');
}

function osOf(written: string | undefined, complain: (message: string) => void): 'linux' | 'windows' | undefined {
  const os = written?.toLowerCase();
  if (os === undefined || os === 'linux' || os === 'windows') return os;
  complain('has an os that is neither "linux" nor "windows"');
  return undefined;
}

function labelsOf(
  cells: readonly string[],
  columns: readonly (string | undefined)[],
  complain: (message: string) => void,
): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  const add = (name: string, value: string): void => {
    if (isLabelValue(value)) labels[name] = value;
    else complain(`has a value for the label "${name}" that is not a valid label value`);
  };
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column?.startsWith('labels.') === true && cell !== '') add(column.slice('labels.'.length), cell);
    if (column === 'labels') for (const pair of wordsIn(cell)) addPair(pair, add);
  }
  return given(labels);
}

function addPair(pair: string, add: (name: string, value: string) => void): void {
  const [name = '', ...value] = pair.split('=');
  add(name, value.join('='));
}
