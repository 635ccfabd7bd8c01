import type { ImageRole } from '../config/schema.ts';
import type { ProjectVariable } from '../project-file.ts';

const HTTPS = (name: string): NonNullable<ProjectVariable['validation']> => ({
  condition: `can(regex("^https://[^?#@]+$", var.${name}))`,
  message: `The ${name} must begin with "https://", without a user or a query.`,
});

const HTTPS_IF_ANY = (name: string): NonNullable<ProjectVariable['validation']> => ({
  condition: `can(regex("^(https://[^?#@]+)?$", var.${name}))`,
  message: `The ${name} must begin with "https://", without a user or a query, or be empty.`,
});

const SHA256 = (name: string): NonNullable<ProjectVariable['validation']> => ({
  condition: `can(regex("^[0-9a-fA-F]{64}$", var.${name}))`,
  message: `The ${name} must be a SHA-256 digest of 64 hexadecimal digits.`,
});

const SHA256_IF_ANY = (name: string): NonNullable<ProjectVariable['validation']> => ({
  condition: `can(regex("^([0-9a-fA-F]{64})?$", var.${name}))`,
  message: `The ${name} must be a SHA-256 digest of 64 hexadecimal digits, or be empty.`,
});

/** What every project can be told. */
export function commonVariables(role: ImageRole): readonly ProjectVariable[] {
  return [
    text('image_name', 'The name of the image'),
    text('keadm_url', 'Where keadm.exe is fetched from inside the machine', { validation: HTTPS('keadm_url') }),
    text('keadm_sha256', 'What keadm.exe must hash to', { validation: SHA256('keadm_sha256') }),
    text('keadm_signer', 'Who must have signed keadm.exe, as in the subject of an Authenticode certificate', empty()),
    version('containerd_version', 'The version of containerd', '2.1.4'),
    ...piece('containerd', 'containerd', 'its own releases'),
    ...(role === 'worker' ? kubernetesVariables() : []),
    version('cloudbase_init_version', 'The version of cloudbase-init', '1.1.6'),
    ...piece('cloudbase_init', 'the package of cloudbase-init', 'its own releases'),
    text('pause_image', "The image of the container that holds a pod's network; empty for the usual one", empty()),
    { name: 'labels', type: 'map(string)', description: 'Names by which the image is known later', default: '{}' },
  ];
}

/** What keadm fetches and installs inside the machine: an address, a checksum, and a signature if wanted. */
function piece(prefix: string, title: string, home: string): readonly ProjectVariable[] {
  const [url, sha256] = [`${prefix}_url`, `${prefix}_sha256`];
  return [
    text(url, `Where ${title} is fetched from; empty for ${home}`, { ...empty(), validation: HTTPS_IF_ANY(url) }),
    text(sha256, `What ${title} must hash to`, { validation: SHA256(sha256) }),
    ...signature(prefix, title),
  ];
}

/** A program that an image may do without: it is left out where it has no checksum. */
function optionalPiece(prefix: string, title: string): readonly ProjectVariable[] {
  const [url, sha256] = [`${prefix}_url`, `${prefix}_sha256`];
  return [
    text(url, `Where ${title} is fetched from; empty for the releases of Kubernetes`, {
      ...empty(),
      validation: HTTPS_IF_ANY(url),
    }),
    text(sha256, `What ${title} must hash to; empty to leave it out`, {
      ...empty(),
      validation: SHA256_IF_ANY(sha256),
    }),
    ...signature(prefix, title),
  ];
}

function signature(prefix: string, title: string): readonly ProjectVariable[] {
  const url = `${prefix}_signature_url`;
  return [
    text(url, `Where the detached signature of ${title} is; empty for none`, {
      ...empty(),
      validation: HTTPS_IF_ANY(url),
    }),
    text(`${prefix}_signature_key`, `The public key, in PEM form, that must have signed ${title}`, empty()),
  ];
}

function kubernetesVariables(): readonly ProjectVariable[] {
  return [
    version('kubernetes_version', 'The version of Kubernetes', 'v1.33.1'),
    ...piece('kubelet', 'the kubelet', 'the releases of Kubernetes'),
    ...optionalPiece('kubeadm', 'kubeadm'),
    ...optionalPiece('kube_proxy', 'kube-proxy'),
  ];
}

/** A version that addresses are made of, so that it must be written as the usual one is. */
function version(name: string, description: string, usual: string): ProjectVariable {
  const letter = usual.startsWith('v') ? 'v' : '';
  return text(name, description, {
    default: `"${usual}"`,
    validation: {
      condition: `can(regex("^${letter}[0-9]+\\\\.[0-9]+\\\\.[0-9]+([-+][-+.0-9A-Za-z]+)?$", var.${name}))`,
      message: `The ${name} must be like "${usual}".`,
    },
  });
}

function empty(): Pick<ProjectVariable, 'default'> {
  return { default: '""' };
}

/** From where a machine in a cloud is reached while it is made: it lets administrators in, and the whole world sees it. */
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
