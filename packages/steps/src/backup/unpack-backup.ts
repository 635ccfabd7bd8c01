import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError } from '@fenestra/kernel';
import { throwIfAborted, digestOf } from '@fenestra/platform';
import * as z from 'zod/mini';
import { changedMeanwhile } from '../replaced-files.ts';
import { defineStep } from '../define-step.ts';
import { relocateConfiguration } from './portable-configuration.ts';
import type { BackupFile } from './manifest.ts';
import { PASSPHRASE } from './sealed/header.ts';
import { readBackup } from './read-backup.ts';

/** Unpacks an archive into its own folder and verifies every file of it, before anything of the node is touched. */
export const unpackBackup = defineStep({
  kind: 'unpack-backup',
  data: z.object({
    archive: z.string(),
    sha256: z.string(),
    /** A folder of keadm's own, made again. */
    to: z.string(),
    /** Folders that are somewhere else than when the backup was made. */
    moves: z.array(z.object({ from: z.string(), to: z.string() })),
  }),
  describe: ({ archive }) => `Unpack and verify "${archive}"`,
  async apply({ archive, sha256, to, moves }, _before, { ports }, signal) {
    if ((await digestOf(archive)) !== sha256) throw changedMeanwhile(archive);
    await ports.files.removeTree(to, dirname(to), signal);
    await ports.files.createFolder(to);
    await ports.access.makePrivate(to);
    const backup = { path: archive, passphrase: ports.secrets.get(PASSPHRASE) };
    const { files } = await readBackup(backup, async (file, content) => write(unpackedPath(to, file), content, signal));
    for (const file of files.filter(({ role }) => role === 'configuration')) {
      const path = unpackedPath(to, file);
      await ports.files.replace(path, relocateConfiguration(await readFile(path, 'utf8'), moves));
    }
  },
  revert: async ({ to }, _before, { ports }, signal) => ports.files.removeTree(to, dirname(to), signal),
});

/** Where a file of a backup is once it is unpacked. The name comes from what the file is; a pod's was checked. */
export function unpackedPath(folder: string, { path, role }: Pick<BackupFile, 'path' | 'role'>): string {
  return join(folder, role === 'static-pod' ? `pod-${path.slice(path.lastIndexOf('/') + 1)}` : role);
}

async function write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(content, target, { signal }).catch((cause: unknown) => {
    throwIfAborted(`writing "${path}"`, signal);
    throw cause instanceof Error && 'syscall' in cause ? fileError(cause, `write "${path}"`) : cause;
  });
}
