import { planWorkflow, type Plan } from '@fenestra/kernel';
import {
  changeNode,
  gatherResetFacts,
  reportReset,
  RESET,
  withScripts,
  type NodeSession,
  type ResetFacts,
  type ResetWishes,
  type ScriptedChange,
} from '@fenestra/lifecycle';
import { Command, Option } from 'commander';
import { resolve } from 'node:path';
import { dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { lifecycleOptions, toSeconds, type LifecycleFlags } from './lifecycle-options.ts';
import { openSession } from './open-session.ts';
import { confirmReset, requireEdge } from './reset-confirmation.ts';
import { resetPreview, resetResult } from './reset-text.ts';

interface ResetFlags extends LifecycleFlags {
  readonly force: boolean;
  readonly keepBackups: boolean;
  readonly kubeconfig?: string;
  readonly kubeConfig?: string;
  readonly drain: boolean;
  readonly drainLimit: number;
  readonly remoteRuntimeEndpoint?: string;
}

const DRAIN_LIMIT_SECONDS = 5 * 60;

/** `keadm reset` */
export function resetCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('reset')
    .description('Take the node off this machine, and nothing that is not its own')
    .argument('[edge]', 'what to reset: this node')
    .option('--force', 'do not ask for the name of the node', false)
    .option('--keep-backups', 'keep the backups of earlier versions', false)
    .option('--kubeconfig <file>', 'the cloud to drain the node in and to delete it from', toPath)
    .addOption(new Option('--kube-config <file>').argParser(toPath).hideHelp())
    .option('--no-drain', 'do not wait for pods to move to other nodes')
    .option('--drain-limit <time>', 'how long pods may take to move', toSeconds, DRAIN_LIMIT_SECONDS)
    .option('--remote-runtime-endpoint <endpoint>', 'the container runtime (default: as configured)');
  return lifecycleOptions(command).action(async (part: string | undefined, flags: ResetFlags) => {
    requireEdge(part);
    deliver(await reset(environment, flags));
  });
}

async function reset(environment: KeadmEnvironment, flags: ResetFlags): Promise<CommandResult> {
  const session = await openSession(environment, flags.root, 'reset');
  const seen = await gatherResetFacts(session, wishesOf(flags), environment.signal);
  const plan = planWorkflow(RESET, seen);
  if (flags.dryRun) return dryRunResult(plan, resetPreview(seen));
  if (plan.length > 0 && !flags.force) await confirmReset(environment, seen.nodeName);
  const { change, before } = await carryOut(environment, session, flags, seen);
  const report = change.outcome === 'reverted' ? undefined : await reportReset(session, before, environment.signal);
  return resetResult(change, report);
}

/** The facts are gathered anew once earlier work was brought to an end: they may have changed. */
async function carryOut(
  environment: KeadmEnvironment,
  session: NodeSession,
  flags: ResetFlags,
  seen: ResetFacts,
): Promise<{ change: ScriptedChange; before: ResetFacts }> {
  const { signal } = environment;
  let before = seen;
  const makePlan = async (): Promise<Plan> => {
    before = await gatherResetFacts(session, seen.wishes, signal);
    return planWorkflow(RESET, before);
  };
  const scripted = await scriptsAround(environment, session, flags, seen.nodeName);
  const change = await withScripts(scripted, async () => changeNode(session, 'keadm reset', makePlan, signal), signal);
  return { change, before };
}

async function scriptsAround(
  { loadPlatform }: KeadmEnvironment,
  session: NodeSession,
  { root, preRun, postRun, scriptLimit }: ResetFlags,
  nodeName: string,
): Promise<Parameters<typeof withScripts>[0]> {
  const { os, arch } = await session.host.facts();
  const wishes = {
    ...(preRun === undefined ? {} : { preRun }),
    ...(postRun === undefined ? {} : { postRun }),
    limitSeconds: scriptLimit,
  };
  return {
    wishes,
    scripts: (await loadPlatform(root)).scripts,
    session,
    facts: { command: 'reset', os, arch, nodeName },
  };
}

function wishesOf(flags: ResetFlags): ResetWishes {
  return {
    kubeconfig: flags.kubeconfig ?? flags.kubeConfig,
    drain: flags.drain,
    drainLimitSeconds: flags.drainLimit,
    keepBackups: flags.keepBackups,
    runtimeEndpoint: flags.remoteRuntimeEndpoint,
  };
}

function toPath(text: string): string {
  return resolve(text);
}
