import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { type Entry, isList, isMapping } from '../../cloudbase/cloud-config/entry.ts';
import { found, type Finding } from '../finding.ts';

interface FieldForm {
  /** Completes "must be …". */
  readonly title: string;
  readonly accepts: (value: unknown) => boolean;
  /** The fields of a mapping. */
  readonly fields?: Readonly<Record<string, FieldForm>>;
  /** The form of all members of a list or of a mapping without fixed names. */
  readonly members?: FieldForm | ((value: unknown) => FieldForm);
}

const TEXT: FieldForm = { title: 'a text; put it in quotes', accepts: (value) => typeof value === 'string' };
const NUMBER: FieldForm = { title: 'a number', accepts: (value) => typeof value === 'number' };
const SWITCH: FieldForm = { title: 'true or false', accepts: (value) => typeof value === 'boolean' };
/** Not for a worker on Windows: its content is not checked. */
const MAPPING: FieldForm = { title: 'a mapping', accepts: isMapping };
function fields(inner: Readonly<Record<string, FieldForm>>): FieldForm {
  return { ...MAPPING, fields: inner };
}

function listOf(members: FieldForm, title: string): FieldForm {
  return { title: `a list of ${title}`, accepts: isList, members };
}

const TEXTS = listOf(TEXT, 'texts');
const COMMANDS = listOf(TEXT, 'commands');
const FROM_SECRET = fields({ secret: fields({ name: TEXT, key: TEXT }) });

const FILE = fields({
  path: TEXT,
  owner: TEXT,
  permissions: TEXT,
  encoding: TEXT,
  append: SWITCH,
  content: TEXT,
  contentFrom: FROM_SECRET,
  contentFormat: TEXT,
});

const USER = fields({
  name: TEXT,
  gecos: TEXT,
  groups: TEXT,
  homeDir: TEXT,
  inactive: SWITCH,
  shell: TEXT,
  passwd: TEXT,
  passwdFrom: FROM_SECRET,
  primaryGroup: TEXT,
  lockPassword: SWITCH,
  sudo: TEXT,
  sshAuthorizedKeys: TEXTS,
});

const REGISTRATION = fields({
  name: TEXT,
  criSocket: TEXT,
  taints: listOf(fields({ key: TEXT, value: TEXT, effect: TEXT, timeAdded: TEXT }), 'taints'),
  // A list in one version of the API, a mapping in another.
  kubeletExtraArgs: {
    title: 'a mapping, or a list of names and values',
    accepts: (value) => isList(value) || isMapping(value),
    members: (value) => (isList(value) ? fields({ name: TEXT, value: TEXT }) : TEXT),
  },
  ignorePreflightErrors: TEXTS,
  imagePullPolicy: TEXT,
  imagePullSerial: SWITCH,
});

const DISCOVERY = fields({
  bootstrapToken: fields({
    token: TEXT,
    apiServerEndpoint: TEXT,
    caCertHashes: TEXTS,
    unsafeSkipCAVerification: SWITCH,
  }),
  file: fields({ kubeConfigPath: TEXT, kubeConfig: MAPPING }),
  tlsBootstrapToken: TEXT,
  timeout: TEXT,
});

const JOIN = fields({
  apiVersion: TEXT,
  kind: TEXT,
  nodeRegistration: REGISTRATION,
  caCertPath: TEXT,
  discovery: DISCOVERY,
  controlPlane: MAPPING,
  skipPhases: TEXTS,
  patches: fields({ directory: TEXT }),
  timeouts: { ...MAPPING, members: NUMBER },
});

const SPEC = {
  clusterConfiguration: MAPPING,
  initConfiguration: MAPPING,
  joinConfiguration: JOIN,
  files: listOf(FILE, 'files'),
  diskSetup: MAPPING,
  mounts: listOf(listOf(TEXT, 'texts'), 'mounts'),
  users: listOf(USER, 'users'),
  ntp: fields({ servers: TEXTS, enabled: SWITCH }),
  bootCommands: COMMANDS,
  preKubeadmCommands: COMMANDS,
  postKubeadmCommands: COMMANDS,
  format: TEXT,
  verbosity: NUMBER,
  ignition: MAPPING,
  useExperimentalRetryJoin: SWITCH,
} as const;

/** The `spec` of a KubeadmConfig, of either version of Cluster API's types. */
const KUBEADM_CONFIG: FieldForm = fields(SPEC);

/** The same without the join configuration, which kubeadm's own rules check. */
const WITHOUT_JOIN: FieldForm = fields({ ...SPEC, joinConfiguration: MAPPING });

interface Mistake {
  readonly kind: 'unknown' | 'wrong';
  readonly finding: Finding;
}

/** The fields of a `spec` that the API does not have, and those whose values have another type. */
export function fieldMistakes(spec: Entry): readonly Finding[] {
  return mistakesBelow(spec, KUBEADM_CONFIG).map(({ finding }) => finding);
}

/** The fields that the API does not have, except in the join configuration. */
export function unknownFields(spec: Entry): readonly Finding[] {
  return mistakesBelow(spec, WITHOUT_JOIN).flatMap(({ kind, finding }) => (kind === 'unknown' ? [finding] : []));
}

/** A field that does not exist, with the nearest one that does. */
export function unknownField(entry: Entry, known: readonly string[]): Finding {
  const nearest = nearestKey(entry.key, known);
  const meant = nearest !== undefined && looksLike(entry.key, nearest) ? `; did you mean "${nearest}"?` : '';
  return found('capi-field', entry, `there is no field "${entry.key}"${meant}`);
}

/** A field without a value counts as absent. Inside a value of another type nothing is checked. */
function mistakesBelow(entry: Entry, form: FieldForm): readonly Mistake[] {
  const { key, value } = entry;
  if (value === null || value === undefined) return [];
  if (!form.accepts(value)) {
    const message = `${key === '' ? 'it' : `"${key}"`} must be ${form.title}`;
    return [{ kind: 'wrong', finding: found('capi-field', entry, message) }];
  }
  const { fields: known, members } = form;
  const each = typeof members === 'function' ? members(value) : members;
  return entry.members.flatMap((member): readonly Mistake[] => {
    if (each !== undefined) return mistakesBelow(member, each);
    if (known === undefined) return [];
    const inner = Object.hasOwn(known, member.key) ? known[member.key] : undefined;
    if (inner !== undefined) return mistakesBelow(member, inner);
    return [{ kind: 'unknown', finding: unknownField(member, Object.keys(known)) }];
  });
}
