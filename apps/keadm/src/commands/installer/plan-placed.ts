import { compareVersions, versionTag } from '@fenestra/contracts';
import type { NodeFacts } from '@fenestra/lifecycle';

/** How an installer may be told to join: every value may be empty, which is as good as not given. */
export interface PlacedFlags {
  readonly cloudcoreIp: string;
  readonly hubPort: string;
  readonly certport: string;
  readonly edgenodeName: string;
  readonly labels: string;
  readonly config: string;
  readonly tokenFile: string;
  readonly token: string;
}

/** What is to be seen of the node before. */
export type PlacedFacts = Pick<NodeFacts, 'joined' | 'foreignService' | 'installedVersion' | 'agentKind'>;

/** What an installation comes to on this machine, as a command of keadm. */
export type PlacedWork =
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'join' | 'upgrade'; readonly words: readonly string[] };

/** A node that is there keeps its configuration and gets the newer agent; otherwise the machine joins if it is told to. */
export function planPlaced(facts: PlacedFacts, flags: PlacedFlags, ownVersion: string): PlacedWork {
  if (facts.joined || facts.foreignService !== undefined) return planUpgrade(facts, ownVersion);
  if (flags.cloudcoreIp === '' && flags.config === '') return { kind: 'none', why: 'This machine is no node yet' };
  return { kind: 'join', words: joinWords(flags) };
}

function planUpgrade(facts: PlacedFacts, ownVersion: string): PlacedWork {
  const { foreignService, agentKind, installedVersion } = facts;
  if (foreignService !== undefined || agentKind !== 'fenestra' || installedVersion === undefined) {
    return { kind: 'none', why: 'The agent on this machine is another one, and stays as it is' };
  }
  if (compareVersions(ownVersion, installedVersion) <= 0) {
    return { kind: 'none', why: `The node runs ${versionTag(installedVersion)}` };
  }
  return { kind: 'upgrade', words: ['--version', versionTag(ownVersion)] };
}

function joinWords(flags: PlacedFlags): readonly string[] {
  const given: readonly (readonly [string, string])[] = [
    ['--cloudcore-ip', flags.cloudcoreIp],
    ['--hub-port', flags.hubPort],
    ['--certport', flags.certport],
    ['--edgenode-name', flags.edgenodeName],
    ['--labels', flags.labels],
    ['--config', flags.config],
    ['--token-file', flags.tokenFile],
    ['--token', flags.token],
  ];
  return given.filter(([, value]) => value !== '').flat();
}
