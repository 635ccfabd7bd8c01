import { OperatorError } from '@fenestra/kernel';
import type { CloudAdmin } from '@fenestra/lifecycle/cloud';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { kubeconfigOption, withCloud, type CloudFlags } from './kubeconfig-option.ts';
import { rootOption } from './input-option.ts';

interface TokenFlags extends CloudFlags {
  readonly node?: string;
}

/** How long a token for one node is good: long enough to walk to the machine. */
const NODE_TOKEN_MS = 60 * 60_000;

/** `keadm gettoken`: the one command that prints a secret, because that is what it is for. */
export function gettokenCommand({ environment, deliver }: CommandContext): Command {
  return new Command('gettoken')
    .description('Print a token that lets nodes join')
    .option('--node <name>', 'make a token for this node only, valid for one hour and one use')
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: TokenFlags) => {
      const token = await withCloud(environment, flags, async (cloud) => tokenFor(cloud, flags, environment));
      deliver(success({ token }, token));
    });
}

/** When a token for one node that is made now expires. */
export function nodeTokenExpiry(now: Date): Date {
  return new Date(now.getTime() + NODE_TOKEN_MS);
}

/** Letting a revoked node back in must not happen by accident. */
function revoked(node: string): OperatorError {
  return new OperatorError('NODE_REVOKED', `Cannot make a token for "${node}": the node is revoked`, {
    hint: `To let it join again, run "keadm node admit ${node}".`,
  });
}

async function tokenFor(cloud: CloudAdmin, { node }: TokenFlags, { now, signal }: KeadmEnvironment): Promise<string> {
  if (node === undefined) return cloud.joinToken(signal);
  if ((await cloud.revocations(signal)).has(node)) throw revoked(node);
  return cloud.nodeToken({ node, expiresAt: nodeTokenExpiry(now()) }, signal);
}
