import { Command } from 'commander';
import { requireNodeName } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { CloudAdmin } from '@fenestra/lifecycle/cloud';
import type { CommandContext } from '../cli/program.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { listCommand } from './node/list.command.ts';
import { nodeTokenExpiry } from './gettoken.command.ts';
import { kubeconfigOption, withCloud, type CloudFlags } from './kubeconfig-option.ts';
import { rootOption } from './input-option.ts';

/** `keadm node list | revoke | admit`: which nodes the cloud trusts. */
export function nodeCommand(context: CommandContext): Command {
  return new Command('node')
    .description('List, revoke and readmit nodes of a cloud')
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(admitCommand(context));
}

interface AdmitFlags extends CloudFlags {
  readonly oldCertificates: boolean;
  readonly dryRun: boolean;
}

/** `keadm node admit NAME`: prints a token, because the node's old certificates stay revoked. */
export function admitCommand({ environment, deliver }: CommandContext): Command {
  return new Command('admit')
    .description('Print a token with which a revoked node can join again, valid for one hour and one use')
    .argument('<name>', 'the node')
    .option('--old-certificates', 'undo the revocation instead: accept the old certificates again', false)
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async (name: string, flags: AdmitFlags) => {
      requireNodeName(name);
      deliver(await withCloud(environment, flags, async (cloud) => admit(cloud, name, flags, environment)));
    });
}

async function admit(
  cloud: CloudAdmin,
  node: string,
  { oldCertificates, dryRun }: AdmitFlags,
  { now, signal }: KeadmEnvironment,
): Promise<CommandResult> {
  const revocation = (await cloud.revocations(signal)).get(node);
  if (revocation === undefined) throw notRevoked(node);
  if (dryRun) {
    const what = oldCertificates ? 'accept its old certificates again' : 'make a token for it';
    return success({ node, dryRun }, `Would admit the node "${node}": ${what}`);
  }
  if (oldCertificates) {
    await cloud.lift(node, signal);
    return success({ node, dryRun, lifted: true }, `Node "${node}" is trusted again with its existing certificates`);
  }
  const token = await cloud.nodeToken({ node, expiresAt: nodeTokenExpiry(now()), revocation: revocation.id }, signal);
  return success({ node, dryRun, token }, token);
}

function notRevoked(node: string): OperatorError {
  return new OperatorError('NODE_ABSENT', `Cannot admit the node "${node}": it is not revoked`, {
    hint: `"keadm node list" shows the revoked nodes; "keadm gettoken --node ${node}" makes a token for any other.`,
  });
}

interface RevokeFlags extends CloudFlags {
  readonly reason?: string;
  readonly dryRun: boolean;
}

/** `keadm node revoke NAME` */
export function revokeCommand({ environment, deliver }: CommandContext): Command {
  return new Command('revoke')
    .description('Revoke all certificates and tokens of a node and close its connection')
    .argument('<name>', 'the node')
    .option('--reason <text>', 'reason to show in the list of revoked nodes')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async (name: string, flags: RevokeFlags) => {
      requireNodeName(name);
      const { now, signal } = environment;
      const registered = await withCloud(environment, flags, async (cloud) => {
        if (!flags.dryRun) await cloud.revoke(name, { now: now(), reason: flags.reason }, signal);
        return (await cloud.nodes(signal)).some((node) => node.name === name);
      });
      deliver(success({ node: name, registered, dryRun: flags.dryRun }, revokedText(name, registered, flags.dryRun)));
    });
}

function revokedText(name: string, registered: boolean, dryRun: boolean): string {
  const stays = `Its Node object stays. To remove it: kubectl delete node ${name}`;
  const absent = `The cluster has no node "${name}": check the name`;
  return [
    dryRun
      ? `Would revoke the node "${name}"`
      : `Node "${name}" is revoked: the cloud closes its connection and rejects its certificates`,
    registered ? stays : absent,
    `To let it join again: keadm node admit ${name}`,
  ].join('\n');
}
