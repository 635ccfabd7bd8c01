import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { planWorkflow, OperatorError } from '@fenestra/kernel';
import { gatherServiceFacts, INSTALL_SERVICE } from '@fenestra/lifecycle';
import type { CloudWishes } from '@fenestra/lifecycle/cloud';
import { changeNode } from '@fenestra/session';
import { Command } from 'commander';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { ADMIN_KUBECONFIG } from './kubeconfig-option.ts';
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

const TOKEN_LIMIT_MS = 60_000;
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
  const { layout, services } = await environment.loadPlatform(flags.root);
  const { cloudService } = await environment.loadCloud();
  const service = cloudService(layout, wishesOf(flags));
  const makePlan = async () => ({
    plan: planWorkflow(INSTALL_SERVICE, await gatherServiceFacts(service, services, environment.executable)),
  });
  if (flags.dryRun)
    return dryRunResult((await makePlan()).plan, { manifests: await installManifests(environment, flags) });
  // Rights are checked before the cluster is changed, too.
  const session = await openSession(environment, flags.root, 'init');
  const manifests = await installManifests(environment, flags);
  const { change } = await changeNode(session, 'keadm init', makePlan, environment.signal);
  const result = changeResult(change);
  if (result.exitCode !== 0) return result;
  const kubeconfig = flags.kubeconfig ?? join(layout.cloudFolder, ADMIN_KUBECONFIG);
  return success({ ...result.data, manifests, kubeconfig }, await nextSteps(environment, flags, kubeconfig));
}

async function installManifests(
  { loadCloud, signal }: KeadmEnvironment,
  flags: InitFlags,
): Promise<readonly unknown[]> {
  // The embedded API brings its own.
  if (flags.kubeconfig === undefined) return [];
  const cloud = await (await loadCloud()).openCloudAdmin(flags.kubeconfig);
  try {
    return await cloud.install(flags.dryRun, signal);
  } finally {
    cloud.close();
  }
}

async function nextSteps(environment: KeadmEnvironment, flags: InitFlags, kubeconfig: string): Promise<string> {
  const cloud = await (await environment.loadCloud()).openCloudAdmin(kubeconfig);
  try {
    const limit = AbortSignal.any([environment.signal, AbortSignal.timeout(TOKEN_LIMIT_MS)]);
    await cloud.joinToken(limit);
    const which = flags.kubeconfig === undefined ? rootWords(flags) : ` --kubeconfig ${flags.kubeconfig}`;
    return [
      `The cloud is running. Its Kubernetes API: ${cloud.server}`,
      `  kubectl --kubeconfig ${kubeconfig} get nodes`,
      'To join a node, copy keadm to its machine and run this command here:',
      `  keadm gettoken${which} | ssh MACHINE sudo ${joinWords(wishesOf(flags))}`,
      'Or run "keadm join" on that machine, with the token that "keadm gettoken" prints here.',
    ].join('\n');
  } finally {
    cloud.close();
  }
}

function rootWords({ root }: RootFlag): string {
  return root === undefined ? '' : ` --root ${root}`;
}

/** The token comes by standard input, so that neither a screen nor a process list shows it. */
function joinWords({ advertiseAddresses: [address = '127.0.0.1'], hubPort, httpsPort }: CloudWishes): string {
  const ports = [
    ...(hubPort === HUB_PORT ? [] : ['--hub-port', hubPort]),
    ...(httpsPort === HTTPS_PORT ? [] : ['--certport', httpsPort]),
  ];
  return ['keadm join --cloudcore-ip', address, ...ports, '--token -'].join(' ');
}

function wishesOf(flags: InitFlags): CloudWishes {
  return {
    advertiseAddresses: flags.advertiseAddress ?? ownAddresses(),
    hubPort: flags.hubPort,
    httpsPort: flags.httpsPort,
    monitorAddress: flags.monitorAddress,
    embeddedAddress: flags.embedded ? flags.apiAddress : undefined,
    kubeconfig: flags.kubeconfig,
  };
}

function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reachable = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
  return reachable.length === 0 ? ['127.0.0.1'] : reachable.map(({ address }) => address);
}

function chooseOne(): OperatorError {
  return new OperatorError('USAGE', 'Missing "--embedded" or "--kubeconfig"', {
    hint: 'Use "--embedded" for an embedded Kubernetes API, or "--kubeconfig FILE" for a cluster.',
  });
}
