import type { NodeSettings, SshSettings } from '../file/schema.ts';
import { isEncrypted, type Variables } from './ansible-inventory.ts';
import { jumpHost } from './csv-jumps.ts';
import { given, keyAuth, readPort, type Remarks } from './imported.ts';

/** What variables say in the terms of a batch file. */
export interface Translation {
  readonly settings: Pick<NodeSettings, 'os' | 'become'> & { readonly ssh?: SshSettings | undefined };
  /** The connection that is asked for, if it is not ssh. */
  readonly connection: string | undefined;
}

/** The names a variable has had over the years, newest first. */
const NAMES = {
  host: ['ansible_host', 'ansible_ssh_host'],
  port: ['ansible_port', 'ansible_ssh_port'],
  user: ['ansible_user', 'ansible_ssh_user'],
  key: ['ansible_ssh_private_key_file', 'ansible_private_key_file'],
  password: ['ansible_password', 'ansible_ssh_pass', 'ansible_ssh_password'],
  become: ['ansible_become'],
  becomeMethod: ['ansible_become_method'],
  becomePassword: ['ansible_become_password', 'ansible_become_pass'],
  becomeUser: ['ansible_become_user'],
  connection: ['ansible_connection'],
  arguments: ['ansible_ssh_common_args', 'ansible_ssh_extra_args'],
  shell: ['ansible_shell_type'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Meaning = keyof typeof NAMES;

const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** Translates the variables for ssh and keadm; every other one is noted. */
export function translateVariables(variables: Variables, remarks: Remarks): Translation {
  for (const name of variables.keys()) {
    if (!KNOWN.has(name)) remarks.add(`Variable "${name}" has no meaning here and was left out`);
  }
  const read = (meaning: Meaning): string | undefined => readVariable(variables, NAMES[meaning], remarks);
  const [key, password, connection] = [read('key'), read('password'), read('connection')];
  const ssh: SshSettings = {
    ip: read('host'),
    port: readPort(read('port'), remarks),
    username: read('user'),
    auth:
      password === undefined ? (key && keyAuth(key)) || undefined : { type: 'password', passwordAuth: { password } },
    jump: jumpOf(read('arguments'), remarks),
  };
  const windows = /^(powershell|cmd)$/.test(read('shell') ?? '');
  return {
    settings: { os: windows ? 'windows' : undefined, become: becomeOf(read, remarks), ssh: given(ssh) },
    connection: connection === undefined || /^(ssh|paramiko(_ssh)?|smart)$/.test(connection) ? undefined : connection,
  };
}

function readVariable(variables: Variables, names: readonly string[], remarks: Remarks): string | undefined {
  const name = names.find((candidate) => variables.has(candidate));
  const value = name === undefined ? undefined : variables.get(name);
  if (name === undefined || value === undefined || value === null || value === '') return undefined;
  if (isEncrypted(value)) {
    remarks.add(`Variable "${name}" is encrypted by Ansible and was ignored; ${instead(name)}`);
    return undefined;
  }
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = plain ? String(value) : '';
  if (plain && !text.includes('{{')) return text;
  remarks.add(`Variable "${name}" is computed by Ansible and was ignored`);
  return undefined;
}

/** Only secrets may be references. */
function instead(name: string): string {
  const secret = [...NAMES.password, ...NAMES.becomePassword].some((known) => known === name);
  return secret ? 'give it by "env:", "file:" or "command:"' : 'write it into the batch file';
}

function becomeOf(read: (meaning: Meaning) => string | undefined, remarks: Remarks): NodeSettings['become'] {
  const [wanted, method, password, user] = [
    read('become'),
    read('becomeMethod'),
    read('becomePassword'),
    read('becomeUser'),
  ];
  if (user !== undefined && user !== 'root')
    remarks.add('Variable "ansible_become_user" names an account other than root and was ignored');
  if (method !== undefined && method !== 'sudo' && method !== 'doas') {
    remarks.add(`The way "${method}" to become another user is not supported and was ignored`);
    return undefined;
  }
  const enable = wanted === undefined ? undefined : /^(true|yes|on|1)$/i.test(wanted);
  return given({ enable, method, password });
}

/** Of the arguments for ssh a jump host is understood: `-J user@host:port`, `-o ProxyJump=…`. */
function jumpOf(written: string | undefined, remarks: Remarks): SshSettings['jump'] {
  if (written === undefined) return undefined;
  const [whole, short, long] = /^\s*(?:-J\s*(\S+)|-o\s*['"]?ProxyJump=([^\s'"]+)['"]?)\s*$/.exec(written) ?? [];
  const hosts = (short ?? long)?.split(',').map(jumpHost);
  if (whole !== undefined && hosts?.every((host) => host !== undefined) === true) return [...hosts];
  remarks.add(
    'Arguments for ssh ("ansible_ssh_common_args") were ignored; put them into your ssh configuration and set "transport: system"',
  );
  return undefined;
}
