import {
  applyConfiguration,
  planReconfiguration,
  type ConfigurationSummary,
  type ConfigurationWish,
} from '@fenestra/lifecycle';
import { type NodeSession, withScripts } from '@fenestra/session';
import type { Command } from 'commander';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import { type DeclaredEffect, PRIVILEGED } from '../../cli/node-command.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { type LifecycleFlags, healthOptions, lifecycleOptions, type HealthFlags } from '../lifecycle-options.ts';
import { scriptsAround } from '../open-session.ts';
import { changesText, joinLines, notesText, restartText } from './config-text.ts';

/** A change of configuration that a command wants. */
export interface WantedConfiguration {
  /** The command as it is typed after `keadm`: `config set`. */
  readonly command: string;
  readonly session: NodeSession;
  readonly wish: ConfigurationWish;
  readonly flags: LifecycleFlags;
}

/** Shows what would happen, or does it with the operator's scripts around it, and shows how it ended. */
export async function configChange(environment: KeadmEnvironment, wanted: WantedConfiguration): Promise<CommandResult> {
  const { command, session, wish, flags } = wanted;
  if (flags.dryRun) return wouldChange(wanted);
  // What is not sound is found out before any script runs.
  if (flags.preRun !== undefined) await planReconfiguration(session, wish);
  const work = async () => applyConfiguration(session, `keadm ${command}`, wish, environment.signal);
  const facts = { command: command.replaceAll(' ', '-') };
  const change = await withScripts(
    await scriptsAround(environment, { session, flags, facts }),
    work,
    environment.signal,
  );
  return withSummary(changeResult(change), change);
}

async function wouldChange({ session, wish }: WantedConfiguration): Promise<CommandResult> {
  const { plan, ...summary } = await planReconfiguration(session, wish);
  return withSummary(dryRunResult(plan), summary);
}

function withSummary(result: CommandResult, summary: ConfigurationSummary): CommandResult {
  const { changes, restartKeys, way, notes } = summary;
  const data = { ...result.data, changes, restartKeys, way, notes };
  return {
    ...result,
    data,
    text: joinLines(changesText(changes), notesText(notes), restartText(restartKeys), result.text),
  };
}

/** The effect of every command that changes the configuration. */
export const CONFIGURATION_EFFECT: DeclaredEffect = {
  ...PRIVILEGED,
  leavesAgent: true,
  undo: 'configuration',
  goal: { kind: 'configured' },
};

/** The options of every command that changes the configuration. */
export interface ConfigChangeFlags extends LifecycleFlags, HealthFlags {
  readonly allowIdentityChange: boolean;
}

/** Adds the options of a change of configuration. */
export function changeOptions(command: Command): Command {
  return lifecycleOptions(healthOptions(command)).option(
    '--allow-identity-change',
    'allow a change of the node name or of the cloud',
    false,
  );
}

/** The wish that flags and a new text make. */
export function wishOf(
  { wait, settle, allowIdentityChange }: ConfigChangeFlags,
  text: Pick<ConfigurationWish, 'make' | 'fileName'>,
): ConfigurationWish {
  return { ...text, allowIdentityChange, limitSeconds: wait, settleSeconds: settle };
}
