import type { JoinConfiguration } from '@fenestra/contracts/kube';
import type { ProgramWishes } from '../prepare/wanted-programs.ts';

/** What an operator wants of a join. The configuration holds tokens, so all of it is secret. */
export interface KubeJoinWishes {
  readonly configuration: JoinConfiguration;
  /** Where programs come from that are not there yet. */
  readonly programs: ProgramWishes | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** Who asks for the kubelet's first certificate. */
  readonly bootstrap: 'own' | 'kubelet';
  readonly waived: readonly string[];
  /** When this program was made. */
  readonly madeAt: Date;
  /** How long the kubelet may take to prove itself, and how long it has to go on. */
  readonly limitSeconds: number;
  readonly settleSeconds: number;
  /** Whether the node has to be Ready, with a network plugin and all. */
  readonly waitReady: boolean;
}
