import { resolve } from 'node:path';
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
} from '@fenestra/imaging';
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
