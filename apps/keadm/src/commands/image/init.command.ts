import { resolve } from 'node:path';
import {
  IMAGE_PLATFORMS,
  IMAGE_ROLES,
  IMAGE_SYSTEMS,
  type ImagePlatform,
  type ImageRole,
  type ImageSystem,
} from '@fenestra/contracts';
import { COMMUNICATORS, imageProject, type Communicator } from '@fenestra/imaging';
import { Command, Option } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import { requireEmpty, writeProject } from './write-project.ts';

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
    .description('Write a Packer project that makes an image of Windows Server')
    .argument('<folder>', 'a folder that is empty or not there yet')
    .addOption(required('--os <version>', 'the version of Windows Server', IMAGE_SYSTEMS))
    .addOption(required('--for <platform>', 'what the image is for', IMAGE_PLATFORMS))
    .addOption(new Option('--role <role>', 'what its machines become').choices(IMAGE_ROLES).default('worker'))
    .addOption(
      new Option('--communicator <way>', 'how the builder talks to it').choices(COMMUNICATORS).default('winrm'),
    )
    .option('--dry-run', 'say which files it would write, and write none', false)
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
