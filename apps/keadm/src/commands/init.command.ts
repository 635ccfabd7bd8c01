import { OperatorError } from '@fenestra/kernel';
import type { CloudInit, InitWishes } from '@fenestra/lifecycle/cloud';
import { Command } from 'commander';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { toPath, toPort } from './lifecycle-options.ts';
import { openSession } from './open-session.ts';
import { rootOption, type RootFlag, InputOption } from './input-option.ts';

interface InitFlags extends RootFlag {
  readonly embedded: boolean;
  readonly kubeconfig?: string;
  readonly advertiseAddress?: readonly string[];
  readonly hubPort: number;
  readonly httpsPort: number;
  readonly apiAddress: string;
  readonly monitorAddress: string;
  readonly dryRun: boolean;
}

const HUB_PORT = 10_000;
const HTTPS_PORT = 10_002;

/** `keadm init`: makes this machine the cloud, with its own Kubernetes API or for a cluster. */
export function initCommand({ environment, deliver }: CommandContext): Command {
  return new Command('init')
    .description('Make this machine the cloud: install cloudcore as a service')
    .option('--embedded', 'run an embedded Kubernetes API; needs no cluster', false)
    .addOption(new InputOption('--kubeconfig <file>', 'use the cluster in this kubeconfig').argParser(toPath))
    .option(
      '--advertise-address <address...>',
      'addresses at which nodes reach this machine (default: all its addresses)',
    )
    .option('--hub-port <port>', 'TCP port on which nodes connect', toPort, HUB_PORT)
    .option('--https-port <port>', 'TCP port on which nodes request certificates', toPort, HTTPS_PORT)
    .option('--api-address <address>', 'address of the embedded Kubernetes API', '127.0.0.1:6443')
    .option('--monitor-address <address>', 'address of the health and metrics endpoints', '127.0.0.1:9091')
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async (flags: InitFlags) => {
      if (flags.embedded === (flags.kubeconfig !== undefined)) throw chooseOne();
      deliver(await init(environment, flags));
    });
}

async function init(environment: KeadmEnvironment, flags: InitFlags): Promise<CommandResult> {
  const { executable, signal } = environment;
  const { initCloud, planCloud } = await environment.loadCloud();
  const wishes = wishesOf(flags);
  if (flags.dryRun) {
    const { layout, services } = await environment.loadPlatform(flags.root);
    const { plan, manifests } = await planCloud({ layout, executable, ports: { services } }, wishes, signal);
    return dryRunResult(plan, { manifests });
  }
  // Rights are checked before the cluster is changed, too.
  const session = await openSession(environment, flags.root, 'init');
  return initResult(await initCloud(session, wishes, signal), flags);
}

function initResult({ change, planned, kubeconfig, server }: CloudInit, flags: InitFlags): CommandResult {
  const result = changeResult(change);
  if (server === undefined) return result;
  const { manifests, advertiseAddresses } = planned;
  const which = flags.kubeconfig === undefined ? rootWords(flags) : ` --kubeconfig ${flags.kubeconfig}`;
  const text = [
    `The cloud is running. Its Kubernetes API: ${server}`,
    `  kubectl --kubeconfig ${kubeconfig} get nodes`,
    'To join a node, copy keadm to its machine and run this command here:',
    `  keadm gettoken${which} | ssh MACHINE sudo ${joinWords(advertiseAddresses, flags)}`,
    'Or run "keadm join" on that machine, with the token that "keadm gettoken" prints here.',
  ].join('\n');
  return success({ ...result.data, manifests, kubeconfig }, text);
}

function rootWords({ root }: RootFlag): string {
  return root === undefined ? '' : ` --root ${root}`;
}

/** The token comes by standard input, so that neither a screen nor a process list shows it. */
function joinWords([address = '127.0.0.1']: readonly string[], { hubPort, httpsPort }: InitFlags): string {
  const ports = [
    ...(hubPort === HUB_PORT ? [] : ['--hub-port', hubPort]),
    ...(httpsPort === HTTPS_PORT ? [] : ['--certport', httpsPort]),
  ];
  return ['keadm join --cloudcore-ip', address, ...ports, '--token -'].join(' ');
}

function wishesOf(flags: InitFlags): InitWishes {
  return {
    advertiseAddresses: flags.advertiseAddress,
    hubPort: flags.hubPort,
    httpsPort: flags.httpsPort,
    monitorAddress: flags.monitorAddress,
    embeddedAddress: flags.embedded ? flags.apiAddress : undefined,
    kubeconfig: flags.kubeconfig,
  };
}

function chooseOne(): OperatorError {
  return new OperatorError('USAGE', 'Missing "--embedded" or "--kubeconfig"', {
    hint: 'Use "--embedded" for an embedded Kubernetes API, or "--kubeconfig FILE" for a cluster.',
  });
}
