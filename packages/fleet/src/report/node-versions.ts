import { versionTag } from '@fenestra/contracts';
import { CARRIED } from '../delivery/far-system.ts';
import { commandKind } from '../delivery/wishes.ts';
import { flagValue } from '../far-end/command-words.ts';
import type { NodeStanding } from '../run/run-state.ts';

/** The versions of a node before and after a run: `none` where there is no node, `undefined` where no one knows. */
export interface NodeVersions {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const NONE = 'none';

/** Which versions a node had and has that stands like this, given the words for keadm. */
export function versionsOf(standing: NodeStanding, command: readonly string[]): NodeVersions {
  const before = versionBefore(standing);
  return { before, after: versionAfter(standing, command, before) };
}

/** Versions for people: one if it is the same, or if no one knows what there was before. */
export function versionsText({ before, after }: NodeVersions, arrow: string): string {
  if (before === undefined || before === after) return after ?? '';
  return `${before} ${arrow} ${after ?? '?'}`;
}

function versionBefore({ survey }: NodeStanding): string | undefined {
  if (survey?.installedVersion !== undefined) return versionTag(survey.installedVersion);
  return survey?.state === 'absent' ? NONE : undefined;
}

function versionAfter(
  { state, part, survey }: NodeStanding,
  command: readonly string[],
  before: string | undefined,
): string | undefined {
  if (state === 'done') return wantedVersion(command, before, survey?.notes[CARRIED]);
  const isAsBefore = part === undefined || part === 'survey' || part === 'deliver' || state === 'rolled-back';
  return isAsBefore ? before : undefined;
}

/** What the command leads to where it went well and the node has proved to be up to date. */
function wantedVersion(
  words: readonly string[],
  before: string | undefined,
  carried: string | undefined,
): string | undefined {
  switch (commandKind(words)) {
    case 'join':
      return joinedVersion(askedVersion(words, carried), before);
    case 'upgrade':
      return askedVersion(words, carried);
    case 'config':
      return before;
    case 'reset':
      return NONE;
    case 'other':
      return undefined;
  }
}

/** A node that was there before keeps its program. */
function joinedVersion(asked: string | undefined, before: string | undefined): string | undefined {
  return before === NONE || before === asked ? asked : undefined;
}

/** Another source than the program itself has whatever version it has, unless one is asked for. */
function askedVersion(words: readonly string[], carried: string | undefined): string | undefined {
  const asked = flagValue(words, ['--version', '--kubeedge-version', '--toVersion']);
  const version = asked ?? (flagValue(words, ['--from', '--tarballpath']) === undefined ? carried : undefined);
  return version === undefined ? undefined : versionTag(version);
}
