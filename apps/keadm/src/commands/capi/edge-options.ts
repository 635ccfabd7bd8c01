import { loadEdgecoreConfig, minimalEdgecoreYaml, requireLabels, setInYaml } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Command } from 'commander';
import { cloudPlace, toLabels, type JoinFlags } from '../join-flags.ts';
import { collect, toPort, append } from '../lifecycle-options.ts';

/** The options of `keadm join` that user-data can contain. */
export interface EdgeFlags extends Pick<
  JoinFlags,
  'cloudcoreIp' | 'hubPort' | 'certport' | 'labels' | 'remoteRuntimeEndpoint'
> {
  readonly set: readonly string[];
}

/** Gives the command the options of an edge node, spelled as `keadm join` has them. */
export function edgeOptions(command: Command): Command {
  return command
    .option('--cloudcore-ip <address>', 'edge node: address of the cloud')
    .option('--hub-port <port>', 'edge node: TCP port of the hub (default: 10000)', toPort)
    .option('--certport <port>', 'edge node: TCP port for certificates (default: 10002)', toPort)
    .option('--labels <pairs>', 'edge node: labels, such as "zone=north,line=3"', collect)
    .option('--remote-runtime-endpoint <endpoint>', 'edge node: endpoint of the container runtime')
    .option(
      '--set <assignment>',
      'edge node: set a configuration field, such as "modules.edgeHub.heartbeat=20"',
      append,
      [],
    );
}

/** The words of `keadm join`, checked as that command would check them. */
export function edgeJoinWords(flags: EdgeFlags): readonly string[] {
  const { cloudcoreIp, hubPort, certport, labels = [], remoteRuntimeEndpoint, set } = flags;
  if (cloudcoreIp === undefined) throw nothingToJoin();
  cloudPlace(flags);
  requireSoundSettings(flags);
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

const HOST = { hostName: 'host', cloudAddress: '127.0.0.1' };
const EDGED = 'modules.edged';

/** Invalid options are refused here, because the machine would fail without anyone noticing. */
function requireSoundSettings({ labels = [], remoteRuntimeEndpoint, set }: EdgeFlags): void {
  const settings = [
    ...Object.entries(toLabels(labels)).map(([name, value]) => `${EDGED}.nodeLabels.${name}="${value}"`),
    ...(remoteRuntimeEndpoint === undefined
      ? []
      : [`${EDGED}.tailoredKubeletConfig.containerRuntimeEndpoint="${remoteRuntimeEndpoint}"`]),
    ...set,
  ];
  const text = setInYaml(minimalEdgecoreYaml('windows', HOST), settings);
  try {
    loadEdgecoreConfig(text, 'edgecore.yaml', 'windows', HOST);
  } catch (error) {
    throw error instanceof OperatorError ? wrongSettings(error) : error;
  }
  requireLabels(toLabels(labels));
}

/** The lines are those of a file that does not exist yet, so they are removed. */
function wrongSettings({ message }: OperatorError): OperatorError {
  const [, ...problems] = message.replaceAll(/^ {2}edgecore\.yaml:\d+ /gm, '  ').split('\n');
  return new OperatorError('USAGE', ['Cannot use these options for an edge node', ...problems].join('\n'), {
    hint: 'Correct "--labels", "--remote-runtime-endpoint" or "--set", which set these fields.',
  });
}

function nothingToJoin(): OperatorError {
  return new OperatorError('USAGE', 'Missing the cluster or cloud to join', {
    hint: 'Give a KubeadmConfig or JoinConfiguration file, or "--cloudcore-ip" for an edge node.',
  });
}
