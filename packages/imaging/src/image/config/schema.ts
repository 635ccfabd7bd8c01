import * as z from 'zod/mini';

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
