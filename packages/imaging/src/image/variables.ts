import type { ImageRole } from './config.ts';

/** A variable of a project. */
export interface ProjectVariable {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'list(string)' | 'map(string)';
  readonly description: string;
  /** As HCL; absent for a required variable. */
  readonly default?: string;
  readonly sensitive?: true;
  /** What a value must match, or an HCL condition that it must meet. */
  readonly validation?: { readonly message: string } & ({ readonly pattern: string } | { readonly condition: string });
}

/** An address without a user, a password or a query: it stays in the image. */
const HTTPS = 'https://[^?#@]+';
const SHA256 = '[0-9a-fA-F]{64}';

function matches(pattern: string, message: string): Pick<ProjectVariable, 'validation'> {
  return { validation: { pattern: `^${pattern}$`, message } };
}

function requiredUrl(name: string, description: string): ProjectVariable {
  const message = `The ${name} must begin with "https://", without a user or a query.`;
  return text(name, description, matches(HTTPS, message));
}

function optionalUrl(name: string, description: string): ProjectVariable {
  const message = `The ${name} must begin with "https://", without a user or a query, or be empty.`;
  return text(name, description, { ...empty(), ...matches(`(${HTTPS})?`, message) });
}

/** The checksum of a download. */
export function digest(name: string, description: string): ProjectVariable {
  return text(name, description, matches(SHA256, `The ${name} must be a SHA-256 digest of 64 hexadecimal digits.`));
}

function optionalDigest(name: string, description: string): ProjectVariable {
  const message = `The ${name} must be a SHA-256 digest of 64 hexadecimal digits, or be empty.`;
  return text(name, description, { ...empty(), ...matches(`(${SHA256})?`, message) });
}

/** The variables of every project. */
export function commonVariables(role: ImageRole): readonly ProjectVariable[] {
  return [
    text('image_name', 'The name of the image'),
    requiredUrl('keadm_url', 'Where keadm.exe is fetched from inside the machine'),
    digest('keadm_sha256', 'What keadm.exe must hash to'),
    text('keadm_signer', 'Who must have signed keadm.exe, as in the subject of an Authenticode certificate', empty()),
    version('containerd_version', 'The version of containerd', '2.1.4'),
    ...download('containerd', 'containerd', 'its own releases'),
    ...(role === 'worker' ? kubernetesVariables() : []),
    version('cloudbase_init_version', 'The version of cloudbase-init', '1.1.6'),
    ...download('cloudbase_init', 'the package of cloudbase-init', 'its own releases'),
    text('pause_image', "The image of the container that holds a pod's network; empty for the usual one", empty()),
    { name: 'labels', type: 'map(string)', description: 'Names by which the image is known later', default: '{}' },
  ];
}

/** A download that keadm installs inside the machine. An optional one is left out if it has no checksum. */
function download(prefix: string, title: string, origin: string, isOptional = false): readonly ProjectVariable[] {
  const sha256 = `What ${title} must hash to`;
  return [
    optionalUrl(`${prefix}_url`, `Where ${title} is fetched from; empty for ${origin}`),
    isOptional
      ? optionalDigest(`${prefix}_sha256`, `${sha256}; empty to leave it out`)
      : digest(`${prefix}_sha256`, sha256),
    optionalUrl(`${prefix}_signature_url`, `Where the detached signature of ${title} is; empty for none`),
    text(`${prefix}_signature_key`, `The public key, in PEM form, that must have signed ${title}`, empty()),
  ];
}

function kubernetesVariables(): readonly ProjectVariable[] {
  return [
    version('kubernetes_version', 'The version of Kubernetes', 'v1.33.1'),
    ...download('kubelet', 'the kubelet', 'the releases of Kubernetes'),
    ...download('kubeadm', 'kubeadm', 'the releases of Kubernetes', true),
    ...download('kube_proxy', 'kube-proxy', 'the releases of Kubernetes', true),
  ];
}

/** A version that is part of a download address, so that its form is fixed. */
function version(name: string, description: string, usual: string): ProjectVariable {
  const letter = usual.startsWith('v') ? 'v' : '';
  return text(name, description, {
    default: `"${usual}"`,
    ...matches(`${letter}[0-9]+\\.[0-9]+\\.[0-9]+([-+][-+.0-9A-Za-z]+)?`, `The ${name} must be like "${usual}".`),
  });
}

function empty(): Pick<ProjectVariable, 'default'> {
  return { default: '""' };
}

/** The networks that may reach the public address of a machine while it is built. */
export function builderNetworks(): ProjectVariable {
  return {
    name: 'builder_networks',
    type: 'list(string)',
    description: 'Address ranges of the builder, such as ["203.0.113.7/32"]: all others are blocked',
    validation: {
      condition: 'length(var.builder_networks) > 0',
      message: 'The builder_networks must be one or more networks, such as ["203.0.113.7/32"].',
    },
  };
}

/** A variable that is a text. */
export function text(
  name: string,
  description: string,
  more: Omit<Partial<ProjectVariable>, 'name' | 'type' | 'description'> = {},
): ProjectVariable {
  return { name, type: 'string', description, ...more };
}

/** The file that declares the variables. */
export function variablesText(variables: readonly ProjectVariable[]): string {
  return variables.map(variableText).join('\n');
}

function variableText({ name, type, description, default: value, sensitive, validation }: ProjectVariable): string {
  const lines = [
    `variable "${name}" {`,
    `  type        = ${type}`,
    `  description = ${quoted(description)}`,
    ...(value === undefined ? [] : [`  default     = ${value}`]),
    ...(sensitive === true ? ['  sensitive   = true'] : []),
    ...(validation === undefined
      ? []
      : [
          '',
          '  validation {',
          `    condition     = ${conditionOf(name, validation)}`,
          `    error_message = ${quoted(validation.message)}`,
          '  }',
        ]),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function conditionOf(name: string, validation: NonNullable<ProjectVariable['validation']>): string {
  return 'condition' in validation ? validation.condition : `can(regex(${quoted(validation.pattern)}, var.${name}))`;
}

function quoted(value: string): string {
  return JSON.stringify(value).replaceAll('${', '$${').replaceAll('%{', '%%{');
}

/** The settings file of the operator: every required variable is in it, commented out. */
export function overridesText(variables: readonly ProjectVariable[]): string {
  const needed = variables.filter((variable) => variable.default === undefined && variable.sensitive !== true);
  const secret = variables.filter(({ sensitive }) => sensitive === true).map(({ name }) => `PKR_VAR_${name}`);
  const lines = needed.flatMap(({ name, type, description }) => [
    `# ${description}.`,
    `# ${name} = ${type.startsWith('list') ? '[]' : '""'}`,
    '',
  ]);
  const secrets =
    secret.length === 0
      ? []
      : [`# Never write these into a file; give them by the environment: ${secret.join(', ')}.`, ''];
  return ['# Required values, and values that differ from those in variables.pkr.hcl.', '', ...secrets, ...lines]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
