import { isDeepStrictEqual } from 'node:util';
import { diffConfig, versionTag, type EdgecoreConfig } from '@fenestra/contracts';
import type { NodeLayout } from '@fenestra/platform';
import type { NodeFacts } from '../node/node-facts.ts';
import { joinConfiguration } from './join-configuration.ts';
import { placesProgram, type JoinFacts } from './join-facts.ts';
import type { JoinWishes } from './join-wishes.ts';

/** What a join was asked for and does not do, because the node that is there already stays as it is. */
export interface NotApplied {
  /** Settings by their paths, without their values. */
  readonly settings: readonly string[];
  /** The version of the agent that was named. */
  readonly version: string | undefined;
  /** The waits before a restart that were asked for, in seconds. */
  readonly restartDelaysSeconds?: readonly number[];
}

/** The token is not a setting that stays: the agent uses and blanks it. */
const TOKEN = 'modules.edgeHub.token';

/** Compares what was asked for with what is there. */
export function findNotApplied(wishes: JoinWishes, node: NodeFacts, facts: JoinFacts): NotApplied {
  if (!facts.known) return { settings: [], version: undefined };
  const { program, layout } = facts;
  const named = wishes.release !== undefined || wishes.version !== undefined;
  const isOther = !placesProgram(facts) && program.version !== versionTag(node.installedVersion ?? '');
  return {
    settings: settingsNotApplied(wishes, node, layout),
    version: named && isOther ? program.version : undefined,
    ...restartsNotApplied(wishes, node),
  };
}

function restartsNotApplied(
  { restartDelaysSeconds }: JoinWishes,
  { spec }: NodeFacts,
): Pick<NotApplied, 'restartDelaysSeconds'> {
  const isSame = isDeepStrictEqual(restartDelaysSeconds, spec?.recovery.restartDelaysSeconds);
  // A service that is gone is registered again, as asked for.
  if (restartDelaysSeconds === undefined || spec === undefined || isSame) return {};
  return { restartDelaysSeconds };
}

function settingsNotApplied(wishes: JoinWishes, node: NodeFacts, layout: NodeLayout): readonly string[] {
  const { config, configText: text } = node;
  if (config === undefined || text === undefined) return [];
  const asked = askedConfig({ ...wishes, configuration: wishes.configuration ?? present(text, layout) }, node, layout);
  const paths = diffConfig(config, asked).map(({ path }) => path);
  return paths.filter((path) => path !== TOKEN);
}

/** Without a file of the operator's, the flags are meant as changes of what is there. */
function present(text: string, { agentConfigFile: path }: NodeLayout): NonNullable<JoinWishes['configuration']> {
  return { path, text };
}

function askedConfig(wishes: JoinWishes, { host }: NodeFacts, layout: NodeLayout): EdgecoreConfig {
  return joinConfiguration(wishes, host, layout).config;
}
