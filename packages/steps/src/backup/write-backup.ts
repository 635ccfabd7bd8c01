import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError, OperatorError, type StepContext } from '@fenestra/kernel';
import { throwIfAborted, pathExists } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { copyDatabase } from '../database/copy-database.ts';
import { defineStep } from '../define-step.ts';
import { BackupRole, BackupSubject } from './manifest.ts';
import { describeMember, type BackupMember, type BackupSource, untilPaired } from './backup-member.ts';
import { packBackup } from './pack-backup.ts';
import { passphraseIn } from './sealed/header.ts';

const WriteBackup = z.object({
  to: z.string(),
  encrypted: z.boolean(),
  subject: BackupSubject,
  sources: z.array(z.object({ role: BackupRole, path: z.string(), from: z.string() })),
  /** A folder of keadm's own for the copy of the database. */
  scratch: z.string(),
});
type WriteBackup = z.infer<typeof WriteBackup>;

/** Packs a node into one archive while its agent goes on running. The archive appears whole or not at all. */
export const writeBackup = defineStep({
  kind: 'write-backup',
  data: WriteBackup,
  describe: ({ to, encrypted }) => `Write the ${encrypted ? 'encrypted ' : ''}archive "${to}"`,
  async prepare({ to }) {
    if (await pathExists(to)) throw alreadyThere(to);
    return null;
  },
  async apply(step, _before, context, signal) {
    const { to, encrypted } = step;
    const { ports } = context;
    const partial = partialOf(to);
    await ports.files.removeTree(partial, dirname(to), signal);
    await createEmpty(partial);
    // An encrypted archive may lie on a disk that knows no access rights, such as a USB stick.
    if (!encrypted) await makePrivate(partial, ports);
    await pack(step, context, signal);
    await ports.files.syncFile(partial);
    await ports.files.move(partial, to);
    await ports.files.removeTree(step.scratch, dirname(step.scratch), signal);
  },
  async revert({ to, scratch }, _before, { ports }, signal) {
    for (const path of [to, partialOf(to), scratch]) await ports.files.removeTree(path, dirname(path), signal);
  },
});

async function pack(step: WriteBackup, context: StepContext<StepPorts>, signal: AbortSignal): Promise<void> {
  const { to, encrypted, subject } = step;
  const { ports, progress } = context;
  const members = await untilPaired(async () => membersOf(step, ports, signal));
  const manifest = { ...subject, files: members.map(({ file }) => file) };
  const passphrase = encrypted ? passphraseIn(ports.secrets) : undefined;
  await packBackup({ manifest, members, to: partialOf(to), passphrase, progress }, signal).catch((cause: unknown) => {
    throwIfAborted(`writing "${to}"`, signal);
    throw fileError(cause, `write "${to}"`);
  });
}

async function membersOf(
  { sources, scratch, subject }: WriteBackup,
  ports: StepPorts,
  signal: AbortSignal,
): Promise<readonly BackupMember[]> {
  const members: BackupMember[] = [];
  for (const source of sources) {
    throwIfAborted(`packing "${source.from}"`, signal);
    const stable = source.role === 'database' ? await copied(source, scratch, ports) : source;
    members.push(await describeMember(stable, subject.nodeName));
  }
  return members;
}

async function copied(source: BackupSource, scratch: string, { files, access }: StepPorts): Promise<BackupSource> {
  await files.createFolder(scratch);
  await access.makePrivate(scratch);
  const copy = join(scratch, 'edgecore.db');
  await copyDatabase(source.from, copy, files);
  return { ...source, from: copy };
}

async function createEmpty(path: string): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw fileError(cause, `create "${path}"`);
  });
  await handle.close();
}

async function makePrivate(path: string, { access }: StepPorts): Promise<void> {
  await access.makePrivate(path).catch((cause: unknown) => {
    throw new OperatorError('ACCESS_DENIED', `Cannot make "${path}" private: it would hold the node's key`, {
      hint: 'Choose a folder on a disk with access rights, or encrypt the backup with "--passphrase-file FILE".',
      cause,
    });
  });
}

function partialOf(path: string): string {
  return `${path}.partial`;
}

function alreadyThere(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot write "${path}": the file already exists`, {
    hint: 'Run the command again; the archive is named by the time.',
  });
}
