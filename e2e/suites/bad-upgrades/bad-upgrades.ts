import { type Behaviour } from '../../support/releases/behaviour.ts';
import type { ReleaseName } from '../../support/releases/test-releases.ts';

/** A release that must not stay on any node. */
export interface BadUpgrade {
  readonly what: string;
  readonly release: ReleaseName;
  /** What the misbehaving agent does. */
  readonly behaviour?: Behaviour;
}

/** All of them: what a bad transport, a bad release and a bad agent can do. */
export const BAD_UPGRADES: readonly BadUpgrade[] = [
  { what: 'a truncated file', release: 'truncated' },
  { what: 'a flipped byte', release: 'flipped' },
  { what: 'a wrong architecture', release: 'foreign' },
  { what: 'an executable that exits at once', release: 'misbehaving', behaviour: 'exit' },
  { what: 'one that hangs', release: 'misbehaving', behaviour: 'hang' },
  { what: 'one that runs but never connects', release: 'misbehaving', behaviour: 'deaf' },
  { what: 'one that connects and then crashes after 10 s', release: 'misbehaving', behaviour: 'crash' },
];
