import type { FieldForm } from './field-form.ts';

const TEXT: FieldForm = { kind: 'text' };
const NUMBER: FieldForm = { kind: 'number' };
const SWITCH: FieldForm = { kind: 'switch' };
/** What is not for a worker on Windows, and not looked at. */
const MAPPING: FieldForm = { kind: 'mapping' };

function fields(inner: Readonly<Record<string, FieldForm>>): FieldForm {
  return { kind: 'fields', fields: inner };
}

function listOf(of: FieldForm, title: string): FieldForm {
  return { kind: 'list', of, title };
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
  kubeletExtraArgs: {
    kind: 'list-or-names',
    list: listOf(fields({ name: TEXT, value: TEXT }), 'names and values'),
    names: { kind: 'names', of: TEXT },
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
  timeouts: { kind: 'names', of: NUMBER },
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
export const KUBEADM_CONFIG_FORM: FieldForm = fields(SPEC);

/** The same without the join configuration, which kubeadm's own rules check. */
export const OUTER_FORM: FieldForm = fields({ ...SPEC, joinConfiguration: MAPPING });
