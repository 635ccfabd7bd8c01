import { resolve } from 'node:path';
import { requireLabels, versionTag } from '@fenestra/contracts';
import { JOIN_CHECKS, joinNode, planJoin, type JoinWishes, type PlannedJoin } from '@fenestra/lifecycle';
import { requireCheckNames, type ScriptedChange } from '@fenestra/session';
import type { Command } from 'commander';
import { readText } from '@fenestra/platform';
import { warningLines, findingsData } from '../cli/findings-text.ts';
import type { CommandContext } from '../cli/program.ts';
import { type DeclaredEffect, NodeCommand, type OptionText, PRIVILEGED } from '../cli/node-command.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import { errorText } from '../cli/report-error.ts';
import { cloudPlace, toLabels, type JoinFlags, readToken } from './join-flags.ts';
import { joinOptions } from './join-options.ts';
import { openSession, scriptsAround } from './open-session.ts';
import { requireOwnVersion, trustedKeys } from './version-change.ts';

/** `keadm join` */
export function joinCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('join', joinEffect).description(
    'Join this machine to a cloud; if that fails, every change is undone',
  );
  return joinOptions(command).action(async (flags: JoinFlags) => deliver(await join(environment, flags)));
}

function joinEffect(text: OptionText): DeclaredEffect {
  return {
    ...PRIVILEGED,
    leavesAgent: true,
    undo: 'reset',
    goal: {
      kind: 'joined',
      nodeName: text('edgenodeName'),
      cloud: text('cloudcoreIp', 'cloudcoreIpport'),
      hubPort: text('hubPort'),
      version: text('version', 'kubeedgeVersion'),
      otherSource: text('from', 'tarballpath') !== undefined,
    },
  };
}

async function join(environment: KeadmEnvironment, flags: JoinFlags): Promise<CommandResult> {
  const { signal, terminal } = environment;
  const wishes = await wishesOf(environment, flags);
  const session = await openSession(environment, flags.root, 'join');
  if (flags.dryRun) return joinPreview(await planJoin(session, wishes, signal));
  const facts = scriptFacts(wishes, await session.host.facts());
  const scripted = await scriptsAround(environment, { session, flags, facts });
  const onPlanned = ({ findings }: PlannedJoin): void => terminal.err(warningLines(findings, wishes.waived));
  const { change, planned } = await joinNode(session, wishes, { scripted, onPlanned }, signal);
  return joinResult(change, planned);
}

/** Everything that the command line alone can have wrong is found out here, before anything happens. */
async function wishesOf(environment: KeadmEnvironment, flags: JoinFlags): Promise<JoinWishes> {
  const waived = requireCheckNames(flags.skipCheck, JOIN_CHECKS);
  const labels = toLabels(flags.labels ?? []);
  requireLabels(labels);
  const { config } = flags;
  const { executable: path, version, commitTime } = environment;
  return {
    cloud: cloudPlace(flags),
    nodeName: flags.edgenodeName,
    labels,
    runtimeEndpoint: flags.remoteRuntimeEndpoint,
    cgroupDriver: flags.cgroupdriver,
    restartDelaysSeconds: flags.restartDelays,
    configuration: config === undefined ? undefined : await readConfiguration(config),
    assignments: flags.set,
    token: await readToken(environment, flags),
    program: { path, version, madeAt: new Date(commitTime) },
    release: await releaseOf(environment, flags),
    version: flags.version ?? flags.kubeedgeVersion,
    waived,
    limitSeconds: flags.wait,
    settleSeconds: flags.settle,
  };
}

async function readConfiguration(file: string): Promise<NonNullable<JoinWishes['configuration']>> {
  const path = resolve(file);
  return { path, text: await readText(path, `the configuration "${path}"`) };
}

async function releaseOf(environment: KeadmEnvironment, flags: JoinFlags): Promise<JoinWishes['release']> {
  const from = flags.from ?? flags.tarballpath;
  const version = flags.version ?? flags.kubeedgeVersion;
  if (from === undefined) {
    if (version !== undefined) requireOwnVersion(version, environment.version);
    return undefined;
  }
  return { from, version, trustKeys: await trustedKeys(environment.trustKeys, flags.trustKey) };
}

function scriptFacts({ cloud, nodeName, program }: JoinWishes, { hostName }: { readonly hostName: string }) {
  return {
    command: 'join',
    nodeName: nodeName ?? hostName.toLowerCase(),
    version: versionTag(program.version),
    ...(cloud === undefined ? {} : { cloud: cloud.host }),
  };
}

/** What a dry run of a join shows. */
export function joinPreview({ plan, facts, findings, notApplied }: PlannedJoin): CommandResult {
  const { nodeName: node, cloud } = facts;
  const result = dryRunResult(plan, { node, cloud, checks: findingsData(findings), notApplied });
  const text = plan.length === 0 ? alreadyJoined(facts) : result.text;
  return { ...result, text: [text, ...notAppliedLines(notApplied)].join('\n') };
}

/** How a join ended. */
export function joinResult(change: ScriptedChange, planned: PlannedJoin): CommandResult {
  const result = changeResult(change);
  const { facts, findings, version, notApplied } = planned;
  const { nodeName: node, cloud } = facts;
  const data = { ...result.data, node, cloud, version, checks: findingsData(findings), notApplied };
  if (change.outcome === 'reverted') return { ...result, data };
  const joined = `Node "${node}" has joined the cloud at ${cloud}`;
  const sentence = change.outcome === 'unchanged' ? alreadyJoined(facts) : joined;
  const complaint = change.scriptFailure === undefined ? [] : [errorText(change.scriptFailure)];
  return { ...result, data, text: [sentence, ...notAppliedLines(notApplied), ...complaint].join('\n') };
}

/** A node that is there stays as it is, and a request for something else must not look fulfilled. */
export function notAppliedLines(notApplied: PlannedJoin['notApplied']): readonly string[] {
  const { settings, version, restartDelaysSeconds: delays } = notApplied;
  const restarts =
    'Ignored: restart delays. Only the first join sets them; to change them, run "keadm reset" and join again';
  const agent = `Not installed: ${version}. The node keeps its agent; to replace it, run "keadm upgrade"`;
  const config = `Not changed: ${settings.join(', ')}. The node keeps its settings; to change them, run "keadm config set" or "keadm config apply"`;
  return [
    ...(settings.length === 0 ? [] : [config]),
    ...(version === undefined ? [] : [agent]),
    ...(delays === undefined ? [] : [restarts]),
  ];
}

function alreadyJoined({ nodeName, cloud }: PlannedJoin['facts']): string {
  return `Nothing to do: this machine is already the node "${nodeName}" of the cloud at ${cloud}`;
}
