import { OperatorError, type StepContext } from '@fenestra/kernel';
import { nextPause, pause, type ServiceManager } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { defineStep } from '../define-step.ts';
import { blameFullDisk, ownLog, serviceLog } from './last-log-lines.ts';
import { readRecordedPods } from './record-pods.ts';
import { readAgentStatus, judgeAgent, judgeService, type AgentVerdict } from './judge-agent.ts';

const LONGEST_PAUSE_MS = 100;
/** An upstream agent says nothing about itself, so its service has to stay up for at least this long. */
const SILENT_SETTLE_SECONDS = 10;

const Proof = z.object({
  service: z.string(),
  stateFolder: z.string(),
  logFile: z.string(),
  /** Whether the agent is ours, which says how it is, or upstream's, of which only the service can be seen. */
  agent: z.enum(['fenestra', 'upstream']),
  /** How well it has to be. */
  wants: z.enum(['running', 'connected', 'ready']),
  limitSeconds: z.number(),
  settleSeconds: z.number(),
  /** The record of the pods that have to run again. */
  podsFile: z.exactOptional(z.string()),
});
/** What is to be proved, and how long it may take. */
export type Proof = z.infer<typeof Proof>;

/** Waits until the agent works: its service runs, it is connected and registered, and all that for the settle time. */
export const proveHealthy = defineStep({
  kind: 'prove-healthy',
  data: Proof,
  describe: ({ settleSeconds }) => `Prove that the agent works, for ${settleSeconds} s`,
  apply: async (step, _before, { ports, say }, signal) =>
    awaitHealthy(step, { ports, say }, signal).catch(async (failure: unknown) => {
      throw await blameFullDisk(ports.host, [step.stateFolder], failure);
    }),
  revert: async () => {},
});

/** Returns once the agent has been well for the settle time; throws `AGENT_UNHEALTHY` if it never is. */
export async function awaitHealthy(
  proof: Proof,
  { ports, say }: Pick<StepContext<StepPorts>, 'ports' | 'say'>,
  signal: AbortSignal,
): Promise<void> {
  const judge = observer(proof, ports, await readRecordedPods(proof.podsFile));
  const began = performance.now();
  const deadline = began + proof.limitSeconds * 1000;
  let healthySince: number | undefined;
  let said = '';
  for (;;) {
    const verdict = await judge();
    if (verdict.state === 'hopeless') throw await unhealthy(proof, verdict, ports.services);
    healthySince = verdict.state === 'healthy' ? (healthySince ?? performance.now()) : undefined;
    if (healthySince !== undefined && performance.now() - healthySince >= settleMs(proof)) return;
    if (verdict.state === 'waiting' && performance.now() > deadline)
      throw await unhealthy(proof, verdict, ports.services);
    if (verdict.state === 'waiting' && verdict.reason !== said) say((said = verdict.reason));
    await pause(nextPause(performance.now() - began, LONGEST_PAUSE_MS), 'proving that the agent works', signal);
  }
}

/** Judges the agent again and again, and remembers which process it was. */
function observer(
  { service: name, stateFolder, agent: kind, wants }: Proof,
  ports: StepPorts,
  podsBefore: readonly string[],
) {
  let firstPid: number | undefined;
  return async (): Promise<AgentVerdict> => {
    const service = await ports.services.status(name);
    if (service.state === 'running') firstPid ??= service.pid;
    const agent = kind === 'fenestra' ? await readAgentStatus(stateFolder) : undefined;
    const sight = { service, agent, firstPid, wants, podsBefore };
    return kind === 'fenestra' ? judgeAgent(sight) : (judgeService(sight) ?? { state: 'healthy' });
  };
}

function settleMs({ agent, settleSeconds }: Proof): number {
  return 1000 * (agent === 'fenestra' ? settleSeconds : Math.max(settleSeconds, SILENT_SETTLE_SECONDS));
}

async function unhealthy(
  { service, logFile, limitSeconds }: Proof,
  verdict: Exclude<AgentVerdict, { state: 'healthy' }>,
  services: ServiceManager,
): Promise<OperatorError> {
  const late = verdict.state === 'waiting' ? ` within ${limitSeconds} s` : '';
  const code = (verdict.state === 'hopeless' ? verdict.code : undefined) ?? 'AGENT_UNHEALTHY';
  // A program that ends right at its start has written to no log yet.
  const log = code === 'SERVICE_FAILED' ? serviceLog(services, service, logFile) : ownLog(logFile);
  return new OperatorError(code, `The agent did not prove that it works${late}: ${verdict.reason}`, {
    hint: verdict.hint ?? 'Look at the last lines of its log, remove the cause, then run the command again.',
    details: await log,
  });
}
