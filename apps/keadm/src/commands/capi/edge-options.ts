import { OperatorError } from '@fenestra/kernel';
import type { Command } from 'commander';
import { cloudPlace, toLabels, type JoinFlags } from '../join-flags.ts';
import { collect, toPort } from '../lifecycle-options.ts';

/** What an edge node is told, of all that `keadm join` takes. */
export interface EdgeFlags extends Pick<
  JoinFlags,
  'cloudcoreIp' | 'hubPort' | 'certport' | 'labels' | 'remoteRuntimeEndpoint'
> {
  readonly set: readonly string[];
}

/** Gives the command the options of an edge node, spelled as `keadm join` has them. */
export function edgeOptions(command: Command): Command {
  return command
    .option('--cloudcore-ip <address>', 'edge node: where the cloud is')
    .option('--hub-port <port>', 'edge node: where its hub listens (default: 10000)', toPort)
    .option('--certport <port>', 'edge node: where it gives certificates (default: 10002)', toPort)
    .option('--labels <pairs>', 'edge node: labels, such as "zone=north,line=3"', collect)
    .option('--remote-runtime-endpoint <endpoint>', 'edge node: the container runtime')
    .option('--set <assignment>', 'edge node: set a field of its configuration', append, []);
}

function append(text: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, text];
}

/** The words of `keadm join`, checked as that command would check them. */
export function edgeJoinWords(flags: EdgeFlags): readonly string[] {
  const { cloudcoreIp, hubPort, certport, labels = [], remoteRuntimeEndpoint, set } = flags;
  if (cloudcoreIp === undefined) throw nothingToJoin();
  cloudPlace(flags);
  toLabels(labels);
  return [
    '--cloudcore-ip',
    cloudcoreIp,
    ...(hubPort === undefined ? [] : ['--hub-port', String(hubPort)]),
    ...(certport === undefined ? [] : ['--certport', String(certport)]),
    ...(labels.length === 0 ? [] : ['--labels', labels.join(',')]),
    ...(remoteRuntimeEndpoint === undefined ? [] : ['--remote-runtime-endpoint', remoteRuntimeEndpoint]),
    ...set.flatMap((assignment) => ['--set', assignment]),
  ];
}

function nothingToJoin(): OperatorError {
  return new OperatorError('USAGE', 'Cannot tell what the machine is to join', {
    hint: 'Give a file with a KubeadmConfig or a JoinConfiguration, or the cloud of an edge node with "--cloudcore-ip".',
  });
}
