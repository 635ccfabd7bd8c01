import { KUBE_JOIN_CHECKS } from '@fenestra/worker';
import { Option, type Command } from 'commander';
import { collect, lifecycleOptions, toPath, toSeconds } from '../lifecycle-options.ts';
import { refuseUpstreamFlags } from '../upstream-flags.ts';
import { checkOptions } from './check-options.ts';
import { programOptions } from './program-options.ts';

const SETTLE_SECONDS = 5;

/** What kubeadm takes and this cannot, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  '--control-plane': 'Control planes are joined with kubeadm; keadm looks after workers.',
  '--certificate-key': 'It is for control planes, which are joined with kubeadm.',
  '--apiserver-advertise-address': 'It is for control planes, which are joined with kubeadm.',
  '--apiserver-bind-port': 'It is for control planes, which are joined with kubeadm.',
  '--skip-phases': 'A join is done wholly or not at all; "--skip-check NAME" goes without a check.',
  '--rootfs': 'Keep the whole worker below another folder with "--root".',
};

/** Gives the command its options: kubeadm's spellings, and a few more. */
export function kubeJoinOptions(command: Command): Command {
  discoveryOptions(command);
  command
    .option('--config <file>', 'a file with a JoinConfiguration of kubeadm, instead of what is above')
    .option('--node-name <name>', "the node's name (default: the host's)")
    .option('--cri-socket <endpoint>', 'the container runtime (default: the one that is there)')
    .option('--labels <pairs>', 'labels of the node, such as "zone=north,line=3"', collect)
    .option('--taints <taints>', 'taints of the node, such as "os=windows:NoSchedule"', collect)
    .option('--patches <folder>', "patches of the kubelet's configuration, as kubeadm takes them", toPath)
    .addOption(
      new Option('--bootstrap <who>', "who gets the node's first certificate: keadm itself, or the kubelet")
        .choices(['own', 'kubelet'])
        .default('own'),
    )
    .option(
      '--wait <time>',
      'how long the cluster, the certificate and the kubelet may each take (default: 5m, 5m and 4m)',
      toSeconds,
    )
    .option('--settle <time>', 'how long it has to go on working', toSeconds, SETTLE_SECONDS)
    .option('--wait-ready', 'wait until the node is Ready, which takes a network plugin', false);
  lifecycleOptions(checkOptions(programOptions(command), KUBE_JOIN_CHECKS));
  return refuseUpstreamFlags(command, REFUSED, 'kubeadm');
}

function discoveryOptions(command: Command): Command {
  return command
    .option('--token <token>', 'a bootstrap token of the cluster; "-" reads it from standard input')
    .option('--token-file <file>', 'a file with the token in it')
    .option('--discovery-token <token>', 'the token to find the cluster with, if it is another')
    .option('--tls-bootstrap-token <token>', 'the token to get a certificate with, if it is another')
    .option('--discovery-token-ca-cert-hash <hashes>', 'what the CA of the cluster must be: "sha256:…"', collect)
    .option('--discovery-token-unsafe-skip-ca-verification', 'believe whoever holds the token to be the cluster')
    .option('--discovery-file <file>', 'a kubeconfig, or its address, to find the cluster with instead of a token');
}
