import { versionTag } from '@fenestra/contracts';
import { VERSION_AFTER } from '../delivery/far-system.ts';
import { NO_VERSION } from '../delivery/wishes.ts';
import type { NodeStanding } from '../run/run-state.ts';

/** The versions of a node before and after a run: `none` where there is no node, `undefined` where no one knows. */
export interface NodeVersions {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Which versions a node had and has that stands like this. */
export function versionsOf(standing: NodeStanding): NodeVersions {
  const before = versionBefore(standing);
  return { before, after: versionAfter(standing, before) };
}

/** Versions for people: one if it is the same, or if no one knows what there was before. */
export function versionsText({ before, after }: NodeVersions, arrow: string): string {
  if (before === undefined || before === after) return after ?? '';
  return `${before} ${arrow} ${after ?? '?'}`;
}

function versionBefore({ survey }: NodeStanding): string | undefined {
  if (survey?.installedVersion !== undefined) return versionTag(survey.installedVersion);
  return survey?.state === 'absent' ? NO_VERSION : undefined;
}

function versionAfter({ state, part, survey }: NodeStanding, before: string | undefined): string | undefined {
  if (state === 'done') return survey?.notes[VERSION_AFTER];
  const isAsBefore = part === undefined || part === 'survey' || part === 'deliver' || state === 'rolled-back';
  return isAsBefore ? before : undefined;
}
