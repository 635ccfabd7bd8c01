import { itemsOf, memberOf, scalarText, type Entry } from '../cloudbase/cloud-config/entry.ts';

/** A line of the document, and the field it is made of. */
export interface MadeLine {
  readonly text: string;
  readonly source: Entry;
}

/** One entry of `files`, with its content as a literal block. */
export function fileLines(file: Entry): readonly MadeLine[] {
  const content = memberOf(file, 'content');
  const text = typeof content?.value === 'string' ? content.value : 'from a secret';
  return [
    { text: `-   path: ${textOf(file, 'path')}`, source: memberOf(file, 'path') ?? file },
    ...present(file, 'encoding', (value) => `    encoding: "${value}"`),
    ...present(file, 'owner', (value) => `    owner: ${value}`),
    ...present(file, 'permissions', (value) => `    permissions: '${value}'`),
    ...present(file, 'append', () => '    append: true'),
    { text: '    content: |', source: content ?? file },
    ...text.split('\n').map((line, index) => ({
      text: `      ${line}`,
      source: content === undefined ? file : { ...content, line: content.line + (text.includes('\n') ? index + 1 : 0) },
    })),
  ];
}

/** Commands, each in the quotes of Go. */
export function commandLines(commands: readonly Entry[]): readonly MadeLine[] {
  return commands.map((source) => ({ text: `  - ${goQuoted(scalarText(source.value))}`, source }));
}

/** `ntp`. */
export function timeLines(ntp: Entry | undefined): readonly MadeLine[] {
  if (ntp === undefined) return [];
  const servers = itemsOf(ntp, 'servers');
  return [
    { text: 'ntp:', source: ntp },
    ...given(ntp, 'enabled', '  enabled: true'),
    { text: '  servers:', source: ntp },
    ...servers.map((source) => ({ text: `  - ${scalarText(source.value)}`, source })),
  ];
}

/** The fields of a user that are one text, by the key they become. */
const USER_FIELDS: readonly (readonly [string, string])[] = [
  ['passwd', 'passwd'],
  ['gecos', 'gecos'],
  ['groups', 'groups'],
  ['homeDir', 'homedir'],
  ['lockPassword', 'lock_passwd'],
  ['shell', 'shell'],
  ['primaryGroup', 'primary_group'],
  ['sudo', 'sudo'],
];

/** `users`. */
export function userLines(users: readonly Entry[]): readonly MadeLine[] {
  const [first] = users;
  if (first === undefined) return [];
  return [{ text: 'users:', source: first }, ...users.flatMap(oneUser)];
}

function oneUser(user: Entry): readonly MadeLine[] {
  const keys = memberOf(user, 'sshAuthorizedKeys');
  return [
    { text: `  - name: ${textOf(user, 'name')}`, source: user },
    ...USER_FIELDS.flatMap(([field, key]) => present(user, field, (value) => `    ${key}: ${value}`)),
    ...given(user, 'inactive', '    inactive: true'),
    ...(keys === undefined ? [] : [{ text: '    ssh_authorized_keys:', source: keys }]),
    ...(keys?.members ?? []).map((source) => ({ text: `      - ${scalarText(source.value)}`, source })),
  ];
}

/** What is for Linux; that it is there at all is what matters. */
export function diskLines(setup: Entry | undefined, mounts: readonly Entry[]): readonly MadeLine[] {
  const [mount] = mounts;
  const partitions = memberOf(setup, 'partitions');
  const filesystems = memberOf(setup, 'filesystems');
  return [
    ...(partitions === undefined ? [] : [{ text: 'disk_setup: {}', source: partitions }]),
    ...(filesystems === undefined ? [] : [{ text: 'fs_setup: []', source: filesystems }]),
    ...(mount === undefined ? [] : [{ text: 'mounts: []', source: mount }]),
  ];
}

/** A switch counts as set where it is there at all, be it false. */
function given(entry: Entry, key: string, text: string): readonly MadeLine[] {
  const source = memberOf(entry, key);
  return source === undefined || source.value === null ? [] : [{ text, source }];
}

function present(entry: Entry, key: string, line: (value: string) => string): readonly MadeLine[] {
  const member = memberOf(entry, key);
  if (member === undefined || member.value === null || member.value === '' || member.value === false) return [];
  return [{ text: line(scalarText(member.value)), source: member }];
}

function textOf(entry: Entry, key: string): string {
  const value = memberOf(entry, key)?.value;
  return typeof value === 'string' ? value : '';
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' };

/** As Go quotes a text: escapes for what cannot be seen, letters of all languages as they are. */
function goQuoted(text: string): string {
  const escaped = text.replaceAll(/[\p{Cc}"\\]/gu, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16).padStart(2, '0');
    return ESCAPES[sign] ?? `\\x${code}`;
  });
  return `"${escaped}"`;
}
