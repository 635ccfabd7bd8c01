import { OperatorError } from '@fenestra/kernel';
import {
  changeVersion,
  planVersionChange,
  type FindVersion,
  type UpgradeWishes,
  type VersionChange,
} from '@fenestra/lifecycle';
import { type NodeSession, withScripts } from '@fenestra/session';
import { versionTag } from '@fenestra/contracts';
import { readTrustKeys } from '@fenestra/releases';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import type { HealthFlags, LifecycleFlags } from './lifecycle-options.ts';
import { scriptsAround } from './open-session.ts';

/** A change of version that a command wants. */
export interface WantedChange {
  readonly command: 'upgrade' | 'rollback';
  readonly session: NodeSession;
  readonly find: FindVersion;
  /** The version, where it is known before. */
  readonly version?: string | undefined;
  readonly flags: LifecycleFlags;
}

/** Shows what would happen, or does it with the operator's scripts around it, and tells how it ended. */
export async function versionChange(environment: KeadmEnvironment, wanted: WantedChange): Promise<CommandResult> {
  const { command, session, find, flags } = wanted;
  if (flags.dryRun) return dryRunResult(await planVersionChange(session, find));
  const work = async () => changeVersion(session, `keadm ${command}`, find, environment.signal);
  const facts = { command, ...(wanted.version === undefined ? {} : { version: wanted.version }) };
  const scripted = await scriptsAround(environment, { session, flags, facts });
  const change = await withScripts(scripted, work, environment.signal);
  return withVersions(changeResult(change), change);
}

const KEPT_BYTES = 2 * 1024 ** 3;

/** What the flags say about the proof and about what is kept. */
export function wishesOf({ wait, settle, keep }: HealthFlags & { readonly keep: number }): UpgradeWishes {
  return { limitSeconds: wait, settleSeconds: settle, keep, keepBytes: KEPT_BYTES };
}

/** A number that may be zero. */
export function toCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new OperatorError('USAGE', `Cannot use "${text}" as a number`, { hint: 'Give 0, 1, 2 and so on.' });
}

function withVersions(result: CommandResult, change: VersionChange): CommandResult {
  const { from, to, outcome, backOnOld } = change;
  const data = { ...result.data, from, to, ...(backOnOld === undefined ? {} : { backOnOld: backOnOld === 'works' }) };
  return { ...result, data, text: `${result.text}\n${sentence({ from, to, outcome, backOnOld })}` };
}

function sentence({
  from,
  to,
  outcome,
  backOnOld,
}: Pick<VersionChange, 'from' | 'to' | 'outcome'> & {
  readonly backOnOld: VersionChange['backOnOld'] | undefined;
}): string {
  if (outcome === 'applied') return `The node runs ${to}; before, it ran ${from}`;
  if (outcome === 'unchanged') return `The node runs ${from}`;
  if (backOnOld === undefined) return `The node is on ${from}, and the state of its agent is unchanged`;
  if (backOnOld === 'works') return `The node runs ${from} again and works`;
  return `The node is back on ${from}, which does not work either: ${backOnOld.message}`;
}

/** Throws `USAGE` for a version that only a release could have, where none was given. */
export function requireOwnVersion(version: string, own: string): void {
  if (versionTag(version) === versionTag(own)) return;
  throw new OperatorError('USAGE', `Cannot find ${versionTag(version)}: this keadm contains only ${versionTag(own)}`, {
    hint: 'Give a release with that version with "--from", or run the keadm of that version.',
  });
}

/** The keys of this program, and those in the files that an operator trusts. */
export async function trustedKeys(own: readonly string[], files: readonly string[]): Promise<readonly string[]> {
  return [...own, ...(await Promise.all(files.map(readTrustKeys))).flat()];
}
