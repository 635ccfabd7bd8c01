import type { ConfigurationWish } from '@fenestra/lifecycle';
import type { Command } from 'commander';
import { healthOptions, lifecycleOptions, type HealthFlags, type LifecycleFlags } from '../lifecycle-options.ts';

/** What every command that changes the configuration can be told. */
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
