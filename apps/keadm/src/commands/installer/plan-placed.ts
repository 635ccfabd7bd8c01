import { compareVersions, versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { NodeFacts } from '@fenestra/lifecycle';
import { JOIN_PROPERTIES, type Properties } from './properties.ts';

/** What is to be seen of the node before. */
export type PlacedFacts = Pick<NodeFacts, 'joined' | 'foreignService' | 'installedVersion' | 'agentKind'>;

/** What an installation comes to on this machine, as a command of keadm. */
export type PlacedWork =
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'join' | 'upgrade'; readonly words: readonly string[] };

/** A node that is there keeps its configuration and gets the newer agent; otherwise the machine joins if its properties ask for that. */
export function planPlaced(facts: PlacedFacts, reported: Properties, ownVersion: string): PlacedWork {
  if (facts.joined || facts.foreignService !== undefined) return planUpgrade(facts, ownVersion);
  if (reported.size === 0) return { kind: 'none', why: 'This machine is not a node yet' };
  if (!reported.has('CLOUDCORE_IP') && !reported.has('CONFIG_FILE')) throw joinWhere(reported);
  return { kind: 'join', words: [...reported].flatMap(([name, value]) => [JOIN_PROPERTIES[name] ?? '', value]) };
}

/** Refuses to take the place of a newer keadm; `replaced` is its version, empty if there is none. */
export function refuseOlder(ownVersion: string, replaced: string): void {
  if (compareVersions(ownVersion, replaced) >= 0) return;
  throw new OperatorError(
    'DOWNGRADE_REFUSED',
    `Cannot install ${versionTag(ownVersion)}: it is older than ${versionTag(replaced)}, which is installed`,
    { hint: 'Uninstall the newer version first. A node on this machine keeps running.' },
  );
}

function planUpgrade(facts: PlacedFacts, ownVersion: string): PlacedWork {
  const { foreignService, agentKind, installedVersion } = facts;
  if (foreignService !== undefined || agentKind !== 'fenestra' || installedVersion === undefined) {
    return {
      kind: 'none',
      why: 'The agent on this machine is not from Fenestra, or its version is unknown; it was not changed',
    };
  }
  if (compareVersions(ownVersion, installedVersion) <= 0) {
    return { kind: 'none', why: `The node runs ${versionTag(installedVersion)}` };
  }
  return { kind: 'upgrade', words: ['--version', versionTag(ownVersion)] };
}

function joinWhere(reported: Properties): OperatorError {
  return new OperatorError('USAGE', `Cannot join with ${[...reported.keys()].join(', ')} only: the cloud is missing`, {
    hint: 'Also give CLOUDCORE_IP or CONFIG_FILE, or remove these properties to install without joining.',
  });
}
