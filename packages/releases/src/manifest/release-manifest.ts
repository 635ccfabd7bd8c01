import * as z from 'zod/mini';
import { isVersion } from '@fenestra/contracts';

/** The file in a release's folder that says what the release consists of. */
export const RELEASE_FILE = 'release.json';

/** The file beside it with the signature over its exact bytes, in base64. */
export const SIGNATURE_FILE = 'release.json.sig';

/** Forward slashes, downwards only, and no character that any system gives a meaning of its own. */
const RELATIVE_PATH = /^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/;

const ReleaseFile = z.strictObject({
  os: z.enum(['linux', 'windows']),
  arch: z.enum(['x64', 'arm64']),
  path: z.string().check(z.regex(RELATIVE_PATH, 'must be a path below the release')),
  size: z.int().check(z.positive()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest in lower-case hexadecimal')),
});
/** One executable of a release. */
export type ReleaseFile = z.infer<typeof ReleaseFile>;

/** `release.json`: which executables a release consists of. What it does not know it refuses. */
export const ReleaseManifest = z.strictObject({
  schema: z.literal(1),
  product: z.literal('fenestra'),
  version: z.string().check(z.refine((text) => text.startsWith('v') && isVersion(text), 'must be a version: v1.2.3')),
  files: z.array(ReleaseFile).check(z.refine(hasOneFilePerTarget, 'must have one file for each system')),
});
export type ReleaseManifest = z.infer<typeof ReleaseManifest>;

function hasOneFilePerTarget(files: readonly ReleaseFile[]): boolean {
  return files.length > 0 && new Set(files.map(({ os, arch }) => `${os} ${arch}`)).size === files.length;
}

/** The bytes of a manifest: the same release always gives the same ones. */
export function releaseManifestText(version: string, files: readonly ReleaseFile[]): string {
  const inOrder = files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const manifest: ReleaseManifest = { schema: 1, product: 'fenestra', version, files: inOrder };
  return `${JSON.stringify(ReleaseManifest.parse(manifest), null, 2)}\n`;
}
