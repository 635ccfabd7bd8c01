import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  IMAGE_PLATFORMS,
  IMAGE_ROLES,
  IMAGE_SYSTEMS,
  type ImagePlatform,
  type ImageRole,
  type ImageSystem,
} from '@fenestra/contracts';
import { COMMUNICATORS, imageProject, type Communicator, type ProjectFile } from '@fenestra/imaging';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { Command, Option } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';

interface InitFlags {
  readonly os: ImageSystem;
  readonly for: ImagePlatform;
  readonly role: ImageRole;
  readonly communicator: Communicator;
}

/** `keadm image init DIR`: a Packer project. */
export function imageInitCommand({ deliver }: CommandContext): Command {
  return new Command('init')
    .description('Write a Packer project that makes an image of Windows Server')
    .argument('<folder>', 'a folder that is empty or not there yet')
    .addOption(required('--os <version>', 'the version of Windows Server', IMAGE_SYSTEMS))
    .addOption(required('--for <platform>', 'what the image is for', IMAGE_PLATFORMS))
    .addOption(new Option('--role <role>', 'what its machines become').choices(IMAGE_ROLES).default('worker'))
    .addOption(
      new Option('--communicator <way>', 'how the builder talks to it').choices(COMMUNICATORS).default('winrm'),
    )
    .action(async (folder: string, flags: InitFlags) => {
      const { os: system, for: platform, role, communicator } = flags;
      const files = imageProject({ system, platform, role, communicator });
      await writeProject(resolve(folder), files);
      const paths = files.map(({ path }) => path);
      const next = `Fill in "overrides.auto.pkrvars.hcl", then run "keadm image validate ${folder}"`;
      deliver(success({ folder, files: paths }, [`Wrote ${paths.length} files to "${folder}"`, next].join('\n')));
    });
}

function required(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).makeOptionMandatory();
}

/** A folder with something in it may be somebody's work: nothing is written over. */
async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  if ((await namesIn(folder)).length > 0) throw notEmpty(folder);
  for (const { path, text } of files) {
    const file = join(folder, ...path.split('/'));
    await mkdir(dirname(file), { recursive: true }).catch(refuse(dirname(file)));
    await writeFile(file, text, { flag: 'wx' }).catch(refuse(file));
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `read the folder "${folder}"`);
  });
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError(cause, `write "${path}"`);
  };
}

function notEmpty(folder: string): OperatorError {
  return new OperatorError('USAGE', `Cannot write a project to "${folder}": it is not empty`, {
    hint: 'Name a folder that is empty or not there yet.',
  });
}
