import { splitByComma } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { JOIN_CHECKS } from '@fenestra/lifecycle';
import { Option, type Command } from 'commander';
import { skipCheckOption } from './check-options.ts';
import { collect, healthOptions, lifecycleOptions, toPort, refuseUpstreamFlags, append } from './lifecycle-options.ts';
import { toRestartDelays } from './join-flags.ts';
import { InputOption } from './input-option.ts';

/** What upstream's keadm takes and this one cannot, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  '--certPath': 'Set the path of each file, such as "--set modules.edgeHub.tlsCertFile=FILE".',
  '--image-repository':
    'Remove it: the agent is not distributed as an image. keadm contains it, or "--from" gives its source.',
  '--download-repo': 'Give the address of the release with "--from".',
  '--runtimetype': 'Give the endpoint of the container runtime with "--remote-runtime-endpoint".',
  '--with-mqtt': 'Install an MQTT broker, and set its address in "modules.eventBus" of the configuration.',
  '--log-file': 'Remove it: the agent writes its own log. "keadm logs" shows it.',
};

/** Gives the command its options: the seed's spellings, and upstream's beside them. */
export function joinOptions(command: Command): Command {
  command
    .option('--cloudcore-ip <address>', 'address of the cloud')
    .addOption(
      new Option('-e, --cloudcore-ipport <address>', 'address of the cloud with the port of the hub').hideHelp(),
    )
    .option('--hub-port <port>', 'TCP port of the hub (default: 10000)', toPort)
    .option('-s, --certport <port>', 'TCP port for certificates (default: 10002)', toPort)
    .option('-t, --token <token>', 'join token, printed by "keadm gettoken"; "-" reads it from standard input')
    .addOption(new InputOption('--token-file <file>', 'file that contains the token'))
    .option('-i, --edgenode-name <name>', 'name of the node (default: the host name)')
    .option('-l, --labels <pairs>', 'labels of the node, such as "zone=north,line=3"', collect)
    .option('-p, --remote-runtime-endpoint <endpoint>', 'endpoint of the container runtime')
    .addOption(new Option('--cgroupdriver <driver>').choices(['cgroupfs', 'systemd']).hideHelp())
    .option(
      '--restart-delays <seconds>',
      'delays before each restart of a failed agent, in seconds; the last one repeats (default: 60,120,300)',
      toRestartDelays,
    )
    .addOption(new InputOption('--config <file>', 'configuration file to start from (default: minimal settings)'))
    .option(
      '--set <assignments>',
      'set configuration fields, such as "modules.edgeHub.heartbeat=20"',
      toAssignments,
      [],
    );
  agentOptions(command);
  return refuseUpstreamFlags(lifecycleOptions(healthOptions(command)), REFUSED);
}

function agentOptions(command: Command): Command {
  return command
    .addOption(
      new InputOption('--from <source>', 'executable, release folder, archive or URL (default: this executable)'),
    )
    .addOption(new InputOption('--tarballpath <source>').hideHelp())
    .option('--version <version>', 'version to install, if "--from" has several')
    .addOption(new Option('--kubeedge-version <version>').hideHelp())
    .addOption(
      new InputOption('--trust-key <file>', 'file with the public key that signed the release')
        .argParser(append)
        .default([]),
    )
    .addOption(skipCheckOption(JOIN_CHECKS))
    .addOption(new Option('--hub-protocol <protocol>').argParser(requireWebSocket).hideHelp());
}

/** Given several times, or once with commas, as upstream has it. */
function toAssignments(text: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, ...splitByComma(text)];
}

function requireWebSocket(protocol: string): string {
  if (protocol === 'websocket') return protocol;
  throw new OperatorError('USAGE', `Cannot use protocol "${protocol}" for the hub: it is not supported yet`, {
    hint: 'Remove "--hub-protocol": the agent connects with WebSocket.',
  });
}
