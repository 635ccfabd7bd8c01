import { createPublicKey } from 'node:crypto';
import { isVersion, versionTag } from '@fenestra/contracts';
import { type FieldProblem, joinPath } from '@fenestra/contracts/reading';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { readObject } from '../read-object.ts';

/** The versions of Windows Server that images are made of. */
export const IMAGE_SYSTEMS = ['2019', '2022', '2025'] as const;
export type ImageSystem = (typeof IMAGE_SYSTEMS)[number];

/** Where images are made for. */
export const IMAGE_PLATFORMS = ['azure', 'aws', 'vsphere', 'qemu'] as const;
export type ImagePlatform = (typeof IMAGE_PLATFORMS)[number];

/** What a machine made from an image becomes. */
export const IMAGE_ROLES = ['worker', 'edge'] as const;
export type ImageRole = (typeof IMAGE_ROLES)[number];

const Signature = z.object({
  /** Where the detached signature is. */
  url: z.string(),
  /** The signer's public key, in PEM form. */
  key: z.string(),
});

const Source = z.object({ url: z.string(), sha256: z.string(), signature: z.optional(Signature) });

/** Something that comes from elsewhere, and what proves that it is the right one. */
export type DownloadSource = z.infer<typeof Source>;

const Versioned = z.extend(Source, { version: z.string() });

/** What an image must have, as its file says it. */
export const ImageConfig = z.object({
  apiVersion: z.literal('fenestra.dev/v1'),
  kind: z.literal('ImageConfig'),
  system: z.enum(IMAGE_SYSTEMS),
  platform: z.enum(IMAGE_PLATFORMS),
  role: z.enum(IMAGE_ROLES),
  containerd: Versioned,
  /** The programs of Kubernetes, for a worker. */
  kubernetes: z.optional(
    z.object({
      version: z.string(),
      kubelet: Source,
      kubeadm: z.optional(Source),
      kubeProxy: z.optional(Source),
    }),
  ),
  cloudbaseInit: Versioned,
  /** The image of the container that holds a pod's network. */
  pauseImage: z.optional(z.string()),
  /** Names by which the image is known later. */
  labels: z.optional(z.record(z.string(), z.string())),
});
export type ImageConfig = z.infer<typeof ImageConfig>;

const HINT = 'Correct the lines above; "keadm image init" writes a project that makes such a file.';

/** Reads the file that says what an image must have. Throws one `CONFIG_INVALID` with every problem and its line. */
export function readImageConfig(text: string, fileName: string): ImageConfig {
  return readObject(text, fileName, { schema: ImageConfig, check: checkImageFile, hint: HINT });
}

/** The problems of several fields together. Fields of a wrong type are ignored. */
function checkImageFile(given: unknown): readonly FieldProblem[] {
  const parts = z.safeParse(SoundParts, given);
  if (!parts.success) return [];
  const { role, containerd, cloudbaseInit, kubernetes } = parts.data;
  return [
    ...downloadProblems('containerd', containerd, '.tar.gz'),
    ...downloadProblems('cloudbaseInit', cloudbaseInit, '.msi'),
    ...roleProblems(role, kubernetes !== undefined),
    ...ifAny('kubernetes.version', versionProblem(kubernetes?.version)),
    ...downloadProblems('kubernetes.kubelet', kubernetes?.kubelet, '.exe'),
    ...downloadProblems('kubernetes.kubeadm', kubernetes?.kubeadm, '.exe'),
    ...downloadProblems('kubernetes.kubeProxy', kubernetes?.kubeProxy, '.exe'),
  ];
}

function roleProblems(role: string | undefined, hasKubernetes: boolean): readonly FieldProblem[] {
  if (role === 'worker' && !hasKubernetes)
    return [{ path: 'role', message: 'is "worker", which needs the part "kubernetes"' }];
  if (role === 'edge' && hasKubernetes)
    return [{ path: 'kubernetes', message: 'is for the role "worker" only: an edge node has no kubelet' }];
  return [];
}

function downloadProblems(path: string, source: ValidSource, ending: string): readonly FieldProblem[] {
  if (source === undefined) return [];
  const { url, sha256, version, signature } = source;
  return [
    ...ifAny(joinPath(path, 'url'), addressProblem(url, ending)),
    ...ifAny(joinPath(path, 'sha256'), digestProblem(sha256)),
    ...ifAny(joinPath(path, 'version'), versionProblem(version)),
    ...ifAny(`${path}.signature.url`, addressProblem(signature?.url, '')),
    ...ifAny(`${path}.signature.key`, keyProblem(signature?.key)),
  ];
}

/** The file stays in the image for all to read who log in to it, and with it whatever stands in an address. */
function addressProblem(text: string | undefined, ending: string): string | undefined {
  if (text === undefined || /^([a-z]:[\\/]|[\\/])/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return 'must be an address that begins with "https://", or an absolute path';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'must have no user, password or query: the file stays in the image';
  return url.pathname.toLowerCase().endsWith(ending) ? undefined : `must lead to a file that ends in "${ending}"`;
}

function digestProblem(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/i.test(text)) return undefined;
  const kind = DIGEST_LENGTHS[text.length];
  const hint = kind === undefined || !/^[0-9a-f]+$/i.test(text) ? '' : `; this one is of ${kind}`;
  return `must be a SHA-256 digest: 64 hexadecimal digits${hint}`;
}

/** What people take for the wanted digest. */
const DIGEST_LENGTHS: Readonly<Record<number, string>> = { 32: 'MD5', 40: 'SHA-1', 96: 'SHA-384', 128: 'SHA-512' };

function versionProblem(text: string | undefined): string | undefined {
  return text === undefined || isVersion(versionTag(text)) ? undefined : 'must be a version such as "1.2.3"';
}

function keyProblem(pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined;
  try {
    // A private key has a public one in it, but no business here.
    if (!pem.includes('PRIVATE KEY') && createPublicKey(pem).type === 'public') return undefined;
  } catch {
    // The message of the key parser does not help an operator.
  }
  return 'must be a public key in PEM form';
}

function ifAny(path: string, message: string | undefined): readonly FieldProblem[] {
  return message === undefined ? [] : [{ path, message }];
}

/** A field that counts only if it is of the right form; its own schema complains if it is not. */
function ifSound<Schema extends z.ZodMiniType>(schema: Schema) {
  return orElse(z.optional(schema), undefined);
}

const text = ifSound(z.string());
const validSource = ifSound(
  z.object({
    url: text,
    sha256: text,
    version: text,
    signature: ifSound(z.object({ url: z.string(), key: z.string() })),
  }),
);

/** A download, with the fields that have the right type. */
type ValidSource = z.infer<typeof validSource>;

/** The parts of a file that are checked together, each left out where it is of a wrong form. */
const SoundParts = z.object({
  role: text,
  containerd: validSource,
  cloudbaseInit: validSource,
  kubernetes: ifSound(z.object({ version: text, kubelet: validSource, kubeadm: validSource, kubeProxy: validSource })),
});
