import { resolve, dirname, join } from 'node:path';
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import {
  IMAGE_PLATFORMS,
  IMAGE_ROLES,
  IMAGE_SYSTEMS,
  type ImagePlatform,
  type ImageRole,
  type ImageSystem,
  COMMUNICATORS,
  imageProject,
  type Communicator,
  type ProjectFile,
} from '@fenestra/imaging';
import { Command, Option } from 'commander';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';

interface InitFlags {
  readonly os: ImageSystem;
  readonly for: ImagePlatform;
  readonly role: ImageRole;
  readonly communicator: Communicator;
  readonly dryRun: boolean;
}

/** `keadm image init DIR`: a Packer project. */
export function imageInitCommand({ deliver }: CommandContext): Command {
  return new Command('init')
    .description('Write a Packer project that builds a Windows Server image')
    .argument('<folder>', 'new or empty folder')
    .addOption(required('--os <version>', 'Windows Server version', IMAGE_SYSTEMS))
    .addOption(required('--for <platform>', 'platform of the image', IMAGE_PLATFORMS))
    .addOption(
      new Option('--role <role>', 'role of the machines that boot from the image')
        .choices(IMAGE_ROLES)
        .default('worker'),
    )
    .addOption(
      new Option('--communicator <way>', 'how Packer connects to the machine').choices(COMMUNICATORS).default('winrm'),
    )
    .option('--dry-run', 'print the names of the files and write nothing', false)
    .action(async (folder: string, flags: InitFlags) => deliver(await initImage(folder, flags)));
}

async function initImage(folder: string, flags: InitFlags): Promise<CommandResult> {
  const { os: system, for: platform, role, communicator, dryRun } = flags;
  const files = imageProject({ system, platform, role, communicator });
  const paths = files.map(({ path }) => path);
  if (dryRun) {
    await requireEmpty(resolve(folder));
    return success({ folder, files: paths, dryRun }, [`Would write to "${folder}":`, ...paths].join('\n  '));
  }
  await writeProject(resolve(folder), files);
  const next = `Fill in "overrides.auto.pkrvars.hcl", then run "keadm image validate ${folder}"`;
  return success({ folder, files: paths }, [`Wrote ${paths.length} files to "${folder}"`, next].join('\n'));
}

function required(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).makeOptionMandatory();
}

/** A folder with something in it may be someone's work: nothing is written over. */
async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `read the folder "${folder}"`);
  });
  if (names.length === 0) return;
  throw new OperatorError('USAGE', `Cannot write a project to "${folder}": it is not empty`, {
    hint: 'Give a new or empty folder.',
  });
}

/** Writes all of it, or nothing. */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  await requireEmpty(folder);
  const paths = files.map(({ path }) => join(folder, ...path.split('/')));
  const made = await mkdir(folder, { recursive: true }).catch(refuse(folder));
  try {
    for (const [index, { text }] of files.entries()) await writeNew(paths[index] ?? folder, text);
  } catch (error) {
    await takeBack(paths, made === undefined ? folder : dirname(made));
    throw error;
  }
}

/** Deletes the written files, and the empty folders below `kept`. */
async function takeBack(paths: readonly string[], kept: string): Promise<void> {
  for (const path of paths) await rm(path, { force: true }).catch(() => undefined);
  for (const path of paths) {
    for (let folder = dirname(path); folder !== kept; folder = dirname(folder)) {
      await rmdir(folder).catch(() => undefined);
    }
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true }).catch(refuse(dirname(file)));
  await writeFile(file, text, { flag: 'wx' }).catch(refuse(file));
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError(cause, `write "${path}"`);
  };
}
