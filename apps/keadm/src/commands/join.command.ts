import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { requireLabels, versionTag } from '@fenestra/contracts';
import { fileError, OperatorError, type Plan } from '@fenestra/kernel';
import { JOIN_CHECKS, planJoin, type JoinWishes, type PlannedJoin } from '@fenestra/lifecycle';
import {
  requireCheckNames,
  changeNode,
  type NodeChange,
  type NodeSession,
  readTrustKeys,
  recoverOnly,
  withScripts,
} from '@fenestra/steps';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { cloudPlace, toLabels, type JoinFlags } from './join-flags.ts';
import { joinOptions } from './join-options.ts';
import { joinPreview, joinResult, warningLines } from './join-result.ts';
import { readToken } from './join-token.ts';
import { openSession } from './open-session.ts';
import { requireSafeInputs } from './require-safe-paths.ts';
import { scriptsAround } from './scripts-around.ts';

/** `keadm join` */
export function joinCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('join').description(
    'Join this machine to a cloud; if that fails, every change is undone',
  );
  return joinOptions(command).action(async (flags: JoinFlags) => deliver(await join(environment, flags)));
}

async function join(environment: KeadmEnvironment, flags: JoinFlags): Promise<CommandResult> {
  const { signal, terminal } = environment;
  const wishes = await wishesOf(environment, flags);
  const secrets = new Map<string, string>();
  const session = await openSession(environment, flags.root, 'join', secrets);
  if (flags.dryRun) return joinPreview(await planJoin(session, wishes, signal));
  const foreseen = await foresee(session, wishes, flags, signal);
  if (foreseen?.planned.plan.length === 0) return joinResult({ ...foreseen, ...UNCHANGED }, foreseen.planned);

  let planned: PlannedJoin | undefined;
  const makePlan = async (): Promise<Plan> => {
    planned = await planJoin(session, wishes, signal);
    for (const [name, secret] of planned.secrets) secrets.set(name, secret);
    terminal.err(warningLines(planned.findings, wishes.waived));
    return planned.plan;
  };
  const facts = scriptFacts(wishes, await session.host.facts());
  const scripted = await scriptsAround(environment, { session, flags, facts });
  const change = await withScripts(scripted, async () => changeNode(session, 'keadm join', makePlan, signal), signal);
  return joinResult({ ...change, recovered: [...(foreseen?.recovered ?? []), ...change.recovered] }, planned);
}

const UNCHANGED = { plan: [], outcome: 'unchanged' } as const;

/** Scripts are for work that is there to be done, and that no check stands against: so that is found out before they run. */
async function foresee(
  session: NodeSession,
  wishes: JoinWishes,
  { preRun, postRun }: JoinFlags,
  signal: AbortSignal,
): Promise<{ readonly recovered: NodeChange['recovered']; readonly planned: PlannedJoin } | undefined> {
  if (preRun === undefined && postRun === undefined) return undefined;
  // What a run that was cut off has left must not be taken for the leftovers of another node.
  const recovered = await recoverOnly(session);
  return { recovered, planned: await planJoin(session, wishes, signal) };
}

/** Everything that the command line alone can have wrong is found out here, before anything happens. */
async function wishesOf(environment: KeadmEnvironment, flags: JoinFlags): Promise<JoinWishes> {
  requireCheckNames(flags.skipCheck, JOIN_CHECKS);
  const labels = toLabels(flags.labels ?? []);
  requireLabels(labels);
  const { access } = await environment.loadPlatform(flags.root);
  const { config, from, tarballpath, trustKey, preRun, postRun } = flags;
  await requireSafeInputs(access, [config, from ?? tarballpath, ...trustKey, preRun, postRun]);
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
    waived: flags.skipCheck,
    limitSeconds: flags.wait,
    settleSeconds: flags.settle,
  };
}

async function readConfiguration(file: string): Promise<NonNullable<JoinWishes['configuration']>> {
  const path = resolve(file);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read the configuration "${path}"`);
  });
  return { path, text };
}

async function releaseOf(environment: KeadmEnvironment, flags: JoinFlags): Promise<JoinWishes['release']> {
  const from = flags.from ?? flags.tarballpath;
  const version = flags.version ?? flags.kubeedgeVersion;
  if (from === undefined) {
    if (version !== undefined) requireOwnVersion(version, environment.version);
    return undefined;
  }
  const given = await Promise.all(flags.trustKey.map(readTrustKeys));
  return { from, version, trustKeys: [...environment.trustKeys, ...given.flat()] };
}

function requireOwnVersion(version: string, own: string): void {
  if (versionTag(version) === versionTag(own)) return;
  throw new OperatorError(
    'USAGE',
    `Cannot find ${versionTag(version)}: this program carries ${versionTag(own)} alone`,
    {
      hint: 'Name a release that has it with "--from", or run the keadm of that version.',
    },
  );
}

function scriptFacts({ cloud, nodeName, program }: JoinWishes, { hostName }: { readonly hostName: string }) {
  return {
    command: 'join',
    nodeName: nodeName ?? hostName.toLowerCase(),
    version: versionTag(program.version),
    ...(cloud === undefined ? {} : { cloud: cloud.host }),
  };
}
