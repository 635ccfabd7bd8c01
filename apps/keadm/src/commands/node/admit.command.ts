import { requireNodeName } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { CloudAdmin } from '@fenestra/lifecycle/cloud';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { nodeTokenExpiry } from '../gettoken.command.ts';
import { kubeconfigOption } from '../kubeconfig-option.ts';
import { rootOption } from '../root-option.ts';
import { withCloud, type CloudFlags } from './with-cloud.ts';

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
