import * as z from 'zod/mini';

/** A system and processor that an agent is made for. */
export const AgentTarget = z.object({ os: z.enum(['linux', 'windows']), arch: z.string() });
export type AgentTarget = z.infer<typeof AgentTarget>;

/** What a file must hash to, in lower-case hexadecimal. */
export const Digest = z.object({ algorithm: z.enum(['sha256', 'sha512']), hex: z.string() });
export type Digest = z.infer<typeof Digest>;

/** Where an agent comes from and what proves that it is the right one. Plain data without secrets, fit for a plan. */
export const AgentSource = z.object({
  /** What the operator named, without credentials. */
  origin: z.string(),
  /** With a leading `v`. */
  version: z.string(),
  kind: z.enum(['fenestra', 'upstream']),
  target: AgentTarget,
  form: z.enum(['file', 'archive']),
  /** An absolute path, or an HTTP URL without credentials. */
  location: z.string(),
  size: z.int(),
  digest: Digest,
  /** Whether a trusted key vouches for the digest, so that it does not matter how the bytes travel. */
  signed: z.boolean(),
  /** The agent's path inside an archive. */
  member: z.exactOptional(z.string()),
  /** What the agent itself hashes to; of an archive that is still elsewhere no one knows. */
  executableSha256: z.exactOptional(z.string()),
  /** The name of the secret that holds `user:password` for the location. */
  credentials: z.exactOptional(z.string()),
});
export type AgentSource = z.infer<typeof AgentSource>;
