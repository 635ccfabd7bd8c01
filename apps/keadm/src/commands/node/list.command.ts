import { Command } from 'commander';
import type { Revocation } from '@fenestra/contracts';
import type { NodeView } from '@fenestra/lifecycle/cloud';
import { cleanText } from '@fenestra/platform/terminal-text';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { kubeconfigOption, withCloud, type CloudFlags } from '../kubeconfig-option.ts';
import { rootOption } from '../input-option.ts';
import { tableText } from '../../cli/findings-text.ts';

/** `keadm node list` */
export function listCommand({ environment, deliver }: CommandContext): Command {
  return new Command('list')
    .description('List the nodes of the cloud, revoked nodes included')
    .option('--revoked', 'list revoked nodes only', false)
    .addOption(kubeconfigOption())
    .addOption(rootOption())
    .action(async (flags: CloudFlags & { readonly revoked: boolean }) => {
      const { signal } = environment;
      const nodes = await withCloud(environment, flags, async (cloud) =>
        trustedNodes(await cloud.nodes(signal), await cloud.revocations(signal)),
      );
      const shown = nodes.filter(({ revocation }) => !flags.revoked || revocation !== undefined);
      deliver(success({ nodes: shown }, nodeListText(shown)));
    });
}

/** A node of the cloud, or one that is revoked, or both. */
export interface TrustedNode {
  readonly name: string;
  /** Whether the cluster has a Node object of this name. */
  readonly registered: boolean;
  readonly ready: NodeView['ready'];
  readonly version: string;
  readonly revocation?: RevocationView;
}

interface RevocationView {
  readonly revokedAt: string;
  readonly reason?: string | undefined;
  /** Whether the node has got a certificate since, by the token of `keadm node admit`. */
  readonly admitted: boolean;
}

/** Joins the two lists, by name. */
export function trustedNodes(
  nodes: readonly NodeView[],
  revocations: ReadonlyMap<string, Revocation>,
): readonly TrustedNode[] {
  const registered = new Map(nodes.map((node) => [node.name, node]));
  return [...new Set([...registered.keys(), ...revocations.keys()])].toSorted().map((name) => {
    const node = registered.get(name);
    const revocation = revocations.get(name);
    return {
      name,
      registered: node !== undefined,
      ready: node?.ready ?? 'Unknown',
      version: node?.version ?? '',
      ...(revocation === undefined ? {} : { revocation: viewOf(revocation) }),
    };
  });
}

function viewOf({ revokedAt, reason, acceptedKeys }: Revocation): RevocationView {
  return { revokedAt, ...(reason === undefined ? {} : { reason }), admitted: acceptedKeys.length > 0 };
}

/** The list as people read it. */
export function nodeListText(nodes: readonly TrustedNode[]): string {
  if (nodes.length === 0) return 'No nodes';
  return tableText([['NAME', 'STATUS', 'VERSION', 'TRUST'], ...nodes.map((node) => rowOf(node).map(cleanText))]);
}

function rowOf({ name, registered, ready, version, revocation }: TrustedNode): readonly string[] {
  const status = registered ? { True: 'Ready', False: 'NotReady', Unknown: 'Unknown' }[ready] : 'absent';
  return [name, status, version || '-', trustOf(revocation)];
}

function trustOf(revocation: RevocationView | undefined): string {
  if (revocation === undefined) return 'trusted';
  const { revokedAt, reason, admitted } = revocation;
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${admitted ? 're-admitted, ' : ''}revoked ${revokedAt}${why}`;
}
