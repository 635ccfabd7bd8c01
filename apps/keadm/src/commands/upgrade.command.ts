import { compareVersions, versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { gatherNodeFacts, requireJoined, type UpgradeRequest } from '@fenestra/lifecycle';
import { type AgentSource, releaseSecrets, resolveAgentSource } from '@fenestra/releases';
import type { NodeSession } from '@fenestra/session';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { type DeclaredEffect, NodeCommand, type OptionText, PRIVILEGED } from '../cli/node-command.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { CONFIGURATION_EFFECT } from './config/config-change.ts';
import { applyConfigFile } from './config/set.command.ts';
import {
  healthOptions,
  lifecycleOptions,
  type HealthFlags,
  type LifecycleFlags,
  refuseUpstreamFlags,
  append,
} from './lifecycle-options.ts';
import { openSession } from './open-session.ts';
import { toCount, versionChange, wishesOf, requireOwnVersion, trustedKeys } from './version-change.ts';
import { InputOption } from './input-option.ts';

interface UpgradeFlags extends LifecycleFlags, HealthFlags {
  readonly version?: string;
  readonly toVersion?: string;
  readonly from?: string;
  readonly config?: string;
  readonly trustKey: readonly string[];
  readonly keep: number;
  readonly allowDowngrade: boolean;
}

/** Long enough to see an agent that connects, works and then falls over. */
const SETTLE_SECONDS = 20;

/** `keadm upgrade` */
export function upgradeCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('upgrade', upgradeEffect)
    .description('Upgrade this node, and roll back if the new version is not healthy')
    .argument('[edge]', '"edge", the only part that can be upgraded')
    .option('--version <version>', 'version to install (default: the version in "--from")')
    .addOption(
      new InputOption('--from <source>', 'executable, release folder, archive or URL (default: this executable)'),
    )
    .addOption(
      new InputOption('--config <file>', 'file with a new configuration: replace the configuration, keep the version'),
    )
    .addOption(
      new InputOption('--trust-key <file>', 'file with the public key that signed the release')
        .argParser(append)
        .default([]),
    )
    .option('--keep <number>', 'number of replaced versions to keep for a rollback', toCount, 3)
    .option('--allow-downgrade', 'allow a version older than the current one', false)
    .addOption(new Option('--toVersion <version>').hideHelp())
    // Upstream's way to say that no one wants to be asked; no one is.
    .addOption(new Option('--force').hideHelp());
  return refuseUpstreamFlags(lifecycleOptions(healthOptions(command, SETTLE_SECONDS)), {
    '--image': 'Give the release with "--from".',
    '--image-digest': 'The digests are in the signed release: give it with "--from".',
    '--disable-backup':
      'A rollback is always possible; "--keep 0" deletes the old version once the new one is healthy.',
    '--type': 'Remove it: it has no effect any more.',
    '--upgradeID': 'Remove it: it has no effect any more.',
    '--historyID': 'Remove it: it has no effect any more.',
    '--fromVersion': 'Remove it: it has no effect any more.',
  }).action(async (part: string | undefined, flags: UpgradeFlags, typed: Command) => {
    if (part !== undefined && part !== 'edge') throw unknownPart(part);
    if (flags.config === undefined) return deliver(await upgrade(environment, flags));
    refuseVersionFlags(typed);
    deliver(await reconfigure(environment, flags));
  });
}

function upgradeEffect(text: OptionText): DeclaredEffect {
  if (text('config') !== undefined) return CONFIGURATION_EFFECT;
  const [version, otherSource] = [text('version', 'toVersion'), text('from') !== undefined];
  const goal = { kind: 'upgraded', version, otherSource } as const;
  return { ...PRIVILEGED, leavesAgent: true, undo: 'rollback', goal };
}

async function upgrade(environment: KeadmEnvironment, flags: UpgradeFlags): Promise<CommandResult> {
  const secrets = flags.from === undefined ? new Map<string, string>() : releaseSecrets(flags.from);
  const session = await openSession(environment, flags.root, 'upgrade', secrets);
  const target = await resolveTarget(environment, session, flags);
  const request: UpgradeRequest = { target, wishes: wishesOf(flags) };
  await refuseDowngrade(session, target, flags.allowDowngrade);
  const { version } = target;
  return versionChange(environment, { command: 'upgrade', session, find: async () => request, version, flags });
}

async function reconfigure(environment: KeadmEnvironment, flags: UpgradeFlags): Promise<CommandResult> {
  const { config = '' } = flags;
  return applyConfigFile(environment, 'upgrade --config', config, { ...flags, allowIdentityChange: false });
}

const VERSION_FLAGS: readonly string[] = ['version', 'toVersion', 'from', 'trustKey', 'keep', 'allowDowngrade'];

/** A flag without effect is more likely a mistake. */
function refuseVersionFlags(typed: Command): void {
  const isGiven = (option: Option): boolean => typed.getOptionValueSource(option.attributeName()) === 'cli';
  const given = typed.options.filter((option) => VERSION_FLAGS.includes(option.attributeName()) && isGiven(option));
  if (given.length === 0) return;
  const names = given.map(({ long }) => `"${long}"`).join(', ');
  throw new OperatorError('USAGE', `Cannot use ${names} with "--config", which changes only the configuration`, {
    hint: 'Run "keadm upgrade" for the version first, then "keadm upgrade --config FILE".',
  });
}

async function resolveTarget(
  environment: KeadmEnvironment,
  session: NodeSession,
  { version: asked, toVersion, from, trustKey }: UpgradeFlags,
): Promise<AgentSource> {
  const version = asked ?? toVersion;
  if (from === undefined && version === undefined) throw whichVersion();
  if (from === undefined) requireOwnVersion(version ?? '', environment.version);
  const { os, arch } = await session.host.facts();
  const trustKeys = await trustedKeys(environment.trustKeys, trustKey);
  const request = { from: from ?? environment.executable, version, target: { os, arch }, trustKeys };
  return resolveAgentSource(request, { ...environment, variables: process.env }, environment.signal);
}

async function refuseDowngrade(session: NodeSession, target: AgentSource, allowed: boolean): Promise<void> {
  const { installedVersion } = requireJoined(await gatherNodeFacts(session));
  if (allowed || installedVersion === undefined || compareVersions(target.version, installedVersion) >= 0) return;
  throw new OperatorError(
    'DOWNGRADE_REFUSED',
    `Cannot upgrade to ${versionTag(target.version)}: it is older than ${versionTag(installedVersion)}, which is installed`,
    { hint: 'Roll back with "keadm rollback", or add "--allow-downgrade".' },
  );
}

function unknownPart(part: string): OperatorError {
  return new OperatorError('USAGE', `Cannot upgrade "${part}"`, {
    hint: '"keadm upgrade" upgrades a node. To upgrade the cloud, run "keadm init" with the new version.',
  });
}

function whichVersion(): OperatorError {
  return new OperatorError('USAGE', 'Missing the version to upgrade to', {
    hint: 'Give "--version V", "--from SOURCE", or both.',
  });
}
