import type { LifecycleFlags } from '../lifecycle-options.ts';
import type { CheckFlags } from '../check-options.ts';
import type { ProgramFlags } from './program-options.ts';

/** What `keadm kube join` can be told. */
export interface KubeJoinFlags extends LifecycleFlags, ProgramFlags, CheckFlags {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly discoveryToken?: string;
  readonly tlsBootstrapToken?: string;
  readonly discoveryTokenCaCertHash?: readonly string[];
  readonly discoveryTokenUnsafeSkipCaVerification?: boolean;
  readonly discoveryFile?: string;
  readonly config?: string;
  readonly nodeName?: string;
  readonly criSocket?: string;
  readonly labels?: readonly string[];
  readonly taints?: readonly string[];
  readonly patches?: string;
  readonly bootstrap: 'own' | 'kubelet';
  /** Seconds; as the configuration has it where it is left out. */
  readonly wait?: number;
  readonly settle: number;
  readonly waitReady: boolean;
}
