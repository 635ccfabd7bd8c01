import * as z from 'zod/mini';
import { AgentTarget, Digest } from '../agent-source.ts';

/** The programs of Kubernetes that a worker may have. */
export const PROGRAM_NAMES = ['kubelet', 'kube-proxy', 'kubeadm'] as const;
export type ProgramName = (typeof PROGRAM_NAMES)[number];

/** Where a program of Kubernetes comes from and what proves that it is the right one. Plain data without secrets. */
export const ProgramSource = z.object({
  name: z.enum(PROGRAM_NAMES),
  /** What the operator named, without credentials. */
  origin: z.string(),
  /** With a leading `v`. */
  version: z.string(),
  target: AgentTarget,
  /** An absolute path, or an HTTP URL without credentials. */
  location: z.string(),
  size: z.int(),
  digest: Digest,
  /** The name of the secret that holds `user:password` for the location. */
  credentials: z.exactOptional(z.string()),
});
export type ProgramSource = z.infer<typeof ProgramSource>;
