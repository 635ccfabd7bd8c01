import { OperatorError } from '@fenestra/kernel';
import { findRollback, type UpgradeRequest } from '@fenestra/lifecycle';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../cli/node-command.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import {
  healthOptions,
  lifecycleOptions,
  type HealthFlags,
  type LifecycleFlags,
  refuseUpstreamFlags,
} from './lifecycle-options.ts';
import { openSession } from './open-session.ts';
import { toCount, versionChange, wishesOf } from './version-change.ts';

interface RollbackFlags extends LifecycleFlags, HealthFlags {
  readonly historicalVersion?: string;
  readonly keepConfig: boolean;
  readonly keep: number;
}

/** `keadm rollback [VERSION]` */
export function rollbackCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('rollback', () => ({ ...PRIVILEGED, leavesAgent: true }))
    .description('Roll this node back to a version that ran here before, with its configuration')
    .argument('[version]', 'version to return to (default: the version that was replaced last)')
    .option('--keep-config', 'keep the current configuration', false)
    .option('--keep <number>', 'number of replaced versions to keep', toCount, 3)
    .addOption(new Option('--historical-version <version>').hideHelp());
  const known = refuseUpstreamFlags(lifecycleOptions(healthOptions(command)), {
    '--config': 'Remove it: a rollback always restores the configuration of this node.',
  });
  return known.action(async (version: string | undefined, flags: RollbackFlags) =>
    deliver(await rollback(environment, namedVersion(version, flags), flags)),
  );
}

/** Upstream's spelling is "keadm rollback edge --historical-version V". */
function namedVersion(argument: string | undefined, { historicalVersion }: RollbackFlags): string | undefined {
  const version = argument === 'edge' ? undefined : argument;
  if (version === undefined || historicalVersion === undefined) return version ?? historicalVersion;
  throw new OperatorError('USAGE', 'Cannot roll back to two versions', {
    hint: `Give either "${version}" or "--historical-version".`,
  });
}

async function rollback(
  environment: KeadmEnvironment,
  version: string | undefined,
  flags: RollbackFlags,
): Promise<CommandResult> {
  const session = await openSession(environment, flags.root, 'rollback');
  const wishes = wishesOf(flags);
  const find = async (): Promise<UpgradeRequest> => ({
    ...(await findRollback(session, version, flags.keepConfig)),
    wishes,
  });
  return versionChange(environment, { command: 'rollback', session, find, flags });
}
