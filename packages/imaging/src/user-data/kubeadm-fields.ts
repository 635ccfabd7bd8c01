import { allBelow } from '../cloudbase/cloud-config/entry.ts';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import type { KubeadmConfigSource } from '../kubeadm-config/find-kubeadm-configs.ts';
import { unknownFields } from '../lint/checks/kubeadm-config-form.ts';

const Loose = orElse(z.record(z.string(), z.unknown()), {});
const NamedList = orElse(z.array(z.looseObject({ name: z.string() })), []);
const ArgumentMap = z.record(z.string(), z.string());

/** kubeadm's object, and what was changed on the way. */
export interface KubeadmJoin {
  readonly object: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Turns the join configuration of a KubeadmConfig, of either version of Cluster API's types, into kubeadm's own. */
export function kubeadmJoinObject(given: Readonly<Record<string, unknown>>): KubeadmJoin {
  const { nodeRegistration, discovery, timeouts, controlPlane: _, ...rest } = given;
  const { timeout, ...finding } = Loose.parse(discovery);
  const { registration, notes } = registrationOf(Loose.parse(nodeRegistration));
  const waiting = { ...(timeout === undefined ? {} : { discovery: timeout }), ...timeoutsOf(timeouts) };
  return {
    object: {
      ...rest,
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      ...(Object.keys(finding).length === 0 ? {} : { discovery: finding }),
      nodeRegistration: registration,
      ...(Object.keys(waiting).length === 0 ? {} : { timeouts: waiting }),
    },
    notes,
  };
}

/** The names that a template takes from the machine, which has the same name by then. */
const OWN_NAME =
  /^\{\{-?\s*(?:ds\.meta_data(?:\.|\[["'])(?:local[-_]hostname|hostname)(?:["']\])?|v1\.local_hostname|local_hostname)\s*-?\}\}$/;

function isOwnName(text: string): boolean {
  return OWN_NAME.test(text.trim());
}

interface Registration {
  readonly registration: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

function registrationOf({ name, kubeletExtraArgs, ...rest }: Readonly<Record<string, unknown>>): Registration {
  const takesOwnName = typeof name === 'string' && isOwnName(name);
  const args = argumentsOf(kubeletExtraArgs);
  const hasTaints = NamedList.parse(args);
  return {
    registration: {
      ...(name === undefined || takesOwnName ? {} : { name }),
      ...rest,
      ...(args === undefined ? {} : { kubeletExtraArgs: args }),
    },
    notes: [
      ...(takesOwnName ? ['The node has the host name, which the metadata must set before user-data is run.'] : []),
      ...(hasTaints.some((argument) => argument.name === 'register-with-taints')
        ? ['"register-with-taints" replaces all other taints: give taints in "nodeRegistration.taints".']
        : []),
    ],
  };
}

/** A mapping until v1beta1, a list since. */
function argumentsOf(given: unknown): unknown {
  const map = ArgumentMap.safeParse(given);
  return map.success ? Object.entries(map.data).map(([name, value]) => ({ name, value })) : given;
}

/** `tlsBootstrapSeconds: 300` is `tlsBootstrap: 300s` to kubeadm. */
function timeoutsOf(given: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(Loose.parse(given));
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key.endsWith('Seconds') && typeof value === 'number'
        ? [key.slice(0, -'Seconds'.length), `${value}s`]
        : [key, value],
    ),
  );
}

type Entry = KubeadmConfigSource['spec'];

/** Why a KubeadmConfig cannot become user-data for Windows, and where. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** The first field of a KubeadmConfig that is unknown or has no effect on Windows. */
export function refusedField(spec: Entry): Refusal | undefined {
  const [unknown] = unknownFields(spec);
  if (unknown !== undefined) return { line: unknown.line, reason: unknown.message };
  const fields = allBelow(spec);
  return fields.flatMap(({ line, ...field }) => {
    const reason = reasonAgainst(field, spec.path);
    return reason === undefined ? [] : [{ line, reason }];
  })[0];
}

/** Fields by their place below the spec. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['.diskSetup', '"diskSetup" is not supported on Windows: set up disks with commands'],
  ['.mounts', '"mounts" is not supported on Windows: mount disks with commands'],
  ['.ignition', '"ignition" is not supported: Ignition is for Linux'],
  ['.users[].passwdFrom', 'the password is in a secret of the cluster: remove it, and log in with a key'],
  ['.files[].contentFrom', 'the content is in a secret of the cluster: put it in the file instead'],
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
