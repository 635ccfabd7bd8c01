import { join } from 'node:path';
import { readRelease } from '../manifest/read-release.ts';
import { RELEASE_FILE, SIGNATURE_FILE } from '../manifest/release-manifest.ts';
import type { AgentSource } from '../agent-source.ts';
import { releaseInvalid, wrongVersion } from '../release-errors.ts';
import type { CheckedRequest } from './agent-request.ts';
import { lookAt, readIfAny } from './local-files.ts';
import { fileForTarget, sourceOfRelease } from './source-of-release.ts';

/** The release in a folder, or `undefined` if the folder holds none. */
export async function localRelease(folder: string, request: CheckedRequest): Promise<AgentSource | undefined> {
  const bytes = await readIfAny(join(folder, RELEASE_FILE));
  if (bytes === undefined) return undefined;
  const signature = await readIfAny(join(folder, SIGNATURE_FILE));
  const release = readRelease(bytes, signature?.toString('utf8'), request.trustKeys);
  const { version } = release.manifest;
  if (request.version !== undefined && request.version !== version)
    throw wrongVersion(folder, request.version, [version]);
  const file = fileForTarget(release, request);
  const location = join(folder, ...file.path.split('/'));
  await requireSize(location, file.size);
  return sourceOfRelease(release, file, { origin: folder, location });
}

/** A file that was cut off is found here, before any plan; one that was changed is found while it is fetched. */
async function requireSize(path: string, expected: number): Promise<void> {
  const { size } = await lookAt(path);
  if (size !== expected) throw releaseInvalid(`use "${path}": it has ${size} bytes, but should have ${expected}`);
}
