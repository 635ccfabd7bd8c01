import type { KubeadmConfigSource } from '../kubeadm-config/find-kubeadm-configs.ts';
import { checkFieldNames } from '../lint/checks/kubeadm-config.ts';
import { isOwnName } from './kubeadm-join-object.ts';

type Entry = KubeadmConfigSource['spec'];

/** Why a KubeadmConfig cannot become user-data for Windows, and where. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** The first field of a KubeadmConfig that nobody knows, or that would not be done. */
export function refusedField(spec: Entry): Refusal | undefined {
  const [unknown] = checkFieldNames(spec);
  if (unknown !== undefined) return { line: unknown.line, reason: unknown.message };
  const fields = allBelow(spec);
  return fields.flatMap(({ line, ...field }) => {
    const reason = reasonAgainst(field, spec.path);
    return reason === undefined ? [] : [{ line, reason }];
  })[0];
}

/** Fields by their place below the spec. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['.diskSetup', '"diskSetup" cannot be done: disks are set up by commands on Windows'],
  ['.mounts', '"mounts" cannot be done: disks are mounted by commands on Windows'],
  ['.ignition', '"ignition" cannot be done: Ignition is for Linux'],
  ['.users[].passwdFrom', 'the password is in a secret of the cluster: leave it out, and log in with a key'],
  ['.files[].contentFrom', 'the content is in a secret of the cluster: put it into the file instead'],
]);

function reasonAgainst({ path, value }: Pick<Entry, 'path' | 'value'>, root: string): string | undefined {
  const place = path.slice(root.length).replaceAll(/\[\d+\]/g, '[]');
  if (place === '.files[].contentFormat' && value === 'Template') return 'it is a template of Go: put the result there';
  return REFUSED.get(place) ?? (isTemplate(value) ? JINJA : undefined);
}

const JINJA = 'it is a template of Jinja: ask the machine in a command instead';

/** Jinja never sees this user-data: braces that it was to replace would stay. */
function isTemplate(value: unknown): boolean {
  if (typeof value !== 'string' || isOwnName(value)) return false;
  return /\{\{-?\s*(?:v1\.|ds\.|local_hostname|instance_id)|\{%-?\s*(?:raw|if|for|set)\b/.test(value);
}

function allBelow({ members }: Entry): readonly Entry[] {
  return members.flatMap((member) => [member, ...allBelow(member)]);
}
