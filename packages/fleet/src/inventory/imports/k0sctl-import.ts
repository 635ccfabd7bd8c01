import type { NodeSettings, SshSettings } from '../file/schema.ts';
import {
  allowedName,
  entriesOf,
  given,
  type ImportedInventory,
  isLabelValue,
  keyAuth,
  newRemarks,
  readPort,
  readYamlDocuments,
  type Remarks,
  unreadable,
} from './imported.ts';

/** Makes nodes of the hosts in a k0sctl file. */
export function importK0sctl(text: string, fileName: string): ImportedInventory {
  const documents = readYamlDocuments(text, fileName).map((document) => new Map(entriesOf(document)));
  const cluster = documents.find((document) => String(document.get('apiVersion')).startsWith('k0sctl.k0sproject.io/'));
  if (cluster === undefined) throw unreadable(fileName, ['1 is not a file of k0sctl: no document has its apiVersion']);
  const remarks = newRemarks();
  for (const other of documents.filter((document) => document !== cluster && document.size > 0)) {
    remarks.add(`A document of kind "${String(other.get('kind'))}" was left out`);
  }
  const specification = new Map(entriesOf(cluster.get('spec')));
  for (const key of specification.keys())
    if (key !== 'hosts') remarks.add(`"spec.${key}" is about k0s itself and was left out`);
  const hosts = specification.get('hosts');
  if (!Array.isArray(hosts)) throw unreadable(fileName, ['1 has no list "spec.hosts"']);
  const nodes = hosts.flatMap((host: unknown, index) =>
    nodeOf(new Map(entriesOf(host)), `spec.hosts[${index}]`, remarks),
  );
  return { content: { nodes }, remarks: remarks.list() };
}

const USED = new Set(['ssh', 'openSSH', 'winRM', 'localhost', 'hostname', 'role', 'os']);

function nodeOf(host: ReadonlyMap<string, unknown>, place: string, remarks: Remarks): readonly NodeSettings[] {
  for (const key of host.keys())
    if (!USED.has(key)) remarks.add(`Key "${key}" of hosts has no meaning here and was left out`);
  const ssh = host.has('ssh')
    ? sshOf(host.get('ssh'), 'library', remarks)
    : sshOf(host.get('openSSH'), 'system', remarks);
  if (ssh?.ip === undefined) {
    remarks.add(`${place} was left out: ${reasonOf(host)}`);
    return [];
  }
  const os = textOf(host.get('os'));
  const node: NodeSettings = {
    nodeName: allowedName('name', textOf(host.get('hostname')) ?? ssh.ip, remarks),
    os: os === undefined ? undefined : /windows/i.test(os) ? 'windows' : 'linux',
    labels: roleLabel(textOf(host.get('role'))),
    ssh,
  };
  return [node];
}

function reasonOf(host: ReadonlyMap<string, unknown>): string {
  if (host.has('winRM')) return 'WinRM is not supported; set up OpenSSH on the machine';
  if (host.has('localhost')) return 'it is this machine; use "keadm join" for it';
  return 'it has no address';
}

function roleLabel(role: string | undefined): Record<string, string> | undefined {
  const value = role?.replaceAll('+', '-') ?? '';
  return value !== '' && isLabelValue(value) ? { role: value } : undefined;
}

const SSH_KEYS = new Set(['address', 'user', 'port', 'keyPath', 'hostKey', 'bastion']);

function sshOf(value: unknown, transport: 'library' | 'system', remarks: Remarks): SshSettings | undefined {
  const settings = new Map(entriesOf(value));
  for (const key of settings.keys())
    if (!SSH_KEYS.has(key)) remarks.add(`Key "${key}" of ssh has no meaning here and was left out`);
  const read = (key: string): string | undefined => plain(textOf(settings.get(key)), key, remarks);
  const key = read('keyPath');
  const { jump: _, ...bastion } = settings.has('bastion')
    ? (sshOf(settings.get('bastion'), 'library', remarks) ?? {})
    : {};
  return given({
    ip: read('address'),
    port: readPort(read('port'), remarks),
    username: read('user') ?? (transport === 'library' && settings.size > 0 ? 'root' : undefined),
    auth: key === undefined ? undefined : keyAuth(key),
    hostKey: read('hostKey'),
    jump: given(bastion),
    transport: transport === 'system' && settings.size > 0 ? transport : undefined,
  });
}

/** k0sctl fills in variables of the environment; a batch file does not. */
function plain(text: string | undefined, key: string, remarks: Remarks): string | undefined {
  if (text === undefined || !/\$\{?\w/.test(text)) return text;
  remarks.add(`The value of "${key}" comes from the environment and was left out`);
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
