import { OperatorError } from '@fenestra/kernel';
import { AGENT_SERVICE, CLOUD_SERVICE } from '@fenestra/lifecycle';
import type { NodeView } from '@fenestra/lifecycle/cloud';
import type { ServiceStatus } from '@fenestra/platform';
import { Command } from 'commander';
import { readAgentStatus } from '../agent-status.ts';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { findKubeconfig, kubeconfigOption } from './kubeconfig-option.ts';
import { rootOption, type RootFlag } from './root-option.ts';

interface StatusFlags extends RootFlag {
  readonly kubeconfig?: string;
}

/** What the cloud says, or why it cannot be asked. */
type CloudState = { readonly server: string; readonly nodes: readonly NodeView[] } | { readonly unknown: string };

/** `keadm status`: the services of this machine, and the nodes as the cloud sees them. */
export function statusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show the services of this machine and, where a cloud can be asked, its nodes')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: StatusFlags) => {
      const { services, layout } = await environment.loadPlatform(flags.root);
      const own = { cloud: await services.status(CLOUD_SERVICE), agent: await services.status(AGENT_SERVICE) };
      const agent = own.agent.state === 'running' ? await readAgentStatus(layout.stateFolder) : undefined;
      const cloud = await askCloud(environment, flags);
      const lines = [
        serviceLine(CLOUD_SERVICE, own.cloud),
        `${serviceLine(AGENT_SERVICE, own.agent)}${agent?.connected === true ? ', connected' : ''}`,
        ...cloudLines(cloud),
      ];
      deliver(success({ services: own, agent, cloud }, lines.join('\n')));
    });
}

async function askCloud(environment: KeadmEnvironment, flags: StatusFlags): Promise<CloudState> {
  try {
    const { openCloudAdmin } = await environment.loadCloud();
    const cloud = await openCloudAdmin(await findKubeconfig(environment, flags));
    try {
      return { server: cloud.server, nodes: await cloud.nodes(environment.signal) };
    } finally {
      cloud.close();
    }
  } catch (error) {
    if (error instanceof OperatorError) return { unknown: error.message };
    throw error;
  }
}

function serviceLine(name: string, { state, pid }: ServiceStatus): string {
  return `${name.padEnd(10)} ${state}${pid === undefined ? '' : `, process ${pid}`}`;
}

function cloudLines(cloud: CloudState): readonly string[] {
  if ('unknown' in cloud) return [`nodes      not known: ${cloud.unknown}`];
  const nodes = cloud.nodes.map(({ name, ready, version, reason }) => {
    const state = { True: 'Ready', False: 'NotReady', Unknown: 'Unknown' }[ready];
    return `  ${name}  ${state}  ${version}${ready === 'True' ? '' : `  (${reason})`}`;
  });
  return [`nodes      ${cloud.nodes.length} at ${cloud.server}`, ...nodes];
}
