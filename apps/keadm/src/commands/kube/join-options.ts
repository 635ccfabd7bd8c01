import { KUBE_JOIN_CHECKS } from '@fenestra/worker';
import { Option, type Command } from 'commander';
import {
  collect,
  durationOption,
  lifecycleOptions,
  toPath,
  refuseUpstreamFlags,
  type LifecycleFlags,
} from '../lifecycle-options.ts';
import { checkOptions, type CheckFlags } from '../check-options.ts';
import { InputOption } from '../input-option.ts';
import { programOptions, type ProgramFlags } from './program-options.ts';

const SETTLE_SECONDS = 5;

/** What kubeadm takes and this cannot, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  '--control-plane': 'Join control planes with kubeadm; keadm manages workers only.',
  '--certificate-key': 'It is for control planes, which are joined with kubeadm.',
  '--apiserver-advertise-address': 'It is for control planes, which are joined with kubeadm.',
  '--apiserver-bind-port': 'It is for control planes, which are joined with kubeadm.',
  '--skip-phases': 'A join cannot skip phases; "--skip-check NAME" skips a check.',
  '--rootfs': 'Store all files of the worker below another folder with "--root".',
};

/** Gives the command its options: kubeadm's spellings, and a few more. */
export function kubeJoinOptions(command: Command): Command {
  discoveryOptions(command);
  command
    .addOption(new InputOption('--config <file>', 'kubeadm JoinConfiguration file, instead of the flags above'))
    .option('--node-name <name>', 'name of the node (default: the host name)')
    .option('--cri-socket <endpoint>', 'endpoint of the container runtime (default: the installed one)')
    .option('--labels <pairs>', 'labels of the node, such as "zone=north,line=3"', collect)
    .option('--taints <taints>', 'taints of the node, such as "os=windows:NoSchedule"', collect)
    .addOption(
      new InputOption(
        '--patches <folder>',
        'folder with kubelet configuration patches in the format of kubeadm',
      ).argParser(toPath),
    )
    .addOption(
      new Option('--bootstrap <who>', "which program requests the node's first certificate: keadm (own) or the kubelet")
        .choices(['own', 'kubelet'])
        .default('own'),
    )
    .addOption(
      durationOption('--wait', 'how long to wait for each of cluster, certificate and kubelet', '5m, 5m and 4m'),
    )
    .addOption(durationOption('--settle', 'how long the kubelet must then stay healthy', SETTLE_SECONDS))
    .option('--wait-ready', 'wait until the node is Ready; needs a network plugin in the cluster', false);
  lifecycleOptions(checkOptions(programOptions(command), KUBE_JOIN_CHECKS));
  return refuseUpstreamFlags(command, REFUSED, 'kubeadm');
}

function discoveryOptions(command: Command): Command {
  return command
    .option('--token <token>', 'bootstrap token of the cluster; "-" reads it from standard input')
    .addOption(new InputOption('--token-file <file>', 'file that contains the token'))
    .option('--discovery-token <token>', 'token for discovery only (default: "--token")')
    .option('--tls-bootstrap-token <token>', 'token for the certificate request only (default: "--token")')
    .option('--discovery-token-ca-cert-hash <hashes>', 'hash of the cluster CA public key: "sha256:…"', collect)
    .option(
      '--discovery-token-unsafe-skip-ca-verification',
      'do not verify the cluster CA: anyone who has the token can impersonate the cluster',
    )
    .addOption(new InputOption('--discovery-file <file>', 'kubeconfig file or URL for discovery, instead of a token'));
}

/** The options of `keadm kube join`. */
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
