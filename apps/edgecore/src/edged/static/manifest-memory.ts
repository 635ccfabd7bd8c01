import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson, systemCodeOf } from '@fenestra/kernel';
import type { Manifest } from '@fenestra/pods';
import type { AccessControl, FileStore } from '@fenestra/platform';
import * as z from 'zod/mini';

/** The static pods of a node on its disk, so that a file which is broken after a restart keeps its pod. */
export interface ManifestMemory {
  /** What was saved last; nothing if it is damaged, or another account could have changed it. */
  recall(): Promise<readonly Manifest[]>;
  save(manifests: readonly Manifest[]): Promise<void>;
}

/** The name of the file in the folder of pods. */
export const MANIFEST_MEMORY = 'static_pods_state';

const Stored = z.array(z.object({ file: z.string(), pod: z.record(z.string(), z.json()) }));

/** Keeps them in one file. */
export function manifestMemory(
  path: string,
  { files, access }: { readonly files: FileStore; readonly access: Pick<AccessControl, 'exposures'> },
): ManifestMemory {
  return {
    async recall() {
      const text = await readFile(path, 'utf8').catch((cause: unknown) => {
        if (systemCodeOf(cause) === 'ENOENT') return '';
        throw cause;
      });
      const isExposed = (await access.exposures(path, 'node')).length > 0;
      return isExposed ? [] : (Stored.safeParse(parseJson(text)).data ?? []);
    },
    async save(manifests) {
      await files.createFolder(dirname(path));
      await files.replace(path, JSON.stringify(manifests));
    },
  };
}
