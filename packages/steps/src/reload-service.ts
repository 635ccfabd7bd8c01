import type { AgentStatus } from '@fenestra/contracts';
import { ERROR_CODES, OperatorError, type ErrorCode } from '@fenestra/kernel';
import { waitUntil, within, type ServiceManager, digestIfAny } from '@fenestra/platform';
import * as z from 'zod/mini';
import { readAgentStatus } from './health/judge-agent.ts';
import { serviceLog } from './health/last-log-lines.ts';
import { defineStep } from './define-step.ts';

/** Reading a file and changing over takes an agent a moment; one that takes longer hangs. */
const RELOAD_LIMIT_MS = 30_000;
const RESTART_LIMIT_MS = 120_000;

const Agent = { name: z.string(), stateFolder: z.string() };

const ReloadService = z.object({ ...Agent, configSha256: z.string() });

type ReloadService = z.infer<typeof ReloadService>;

/** An agent of ours: its service, and where it says how it is. */
type Agent = Pick<ReloadService, 'name' | 'stateFolder'>;

/** Has the agent take up its configuration while it runs, and waits until it says that this very text is in effect. */
export const reloadService = defineStep({
  kind: 'reload-service',
  data: ReloadService,
  describe: ({ name }) => `Reload the configuration of "${name}"`,
  apply: async (step, _before, { ports }, signal) => reload(step, step.configSha256, ports.services, signal),
  // Its file is put back only after this step is undone: see `reloadOnRevert`, which stands before the file's step.
  revert: async () => {},
});

/** Does nothing on the way forward. During the rollback, when the old file is in place again, it is put into effect. */
export const reloadOnRevert = defineStep({
  kind: 'reload-on-revert',
  data: z.object({ ...Agent, configFile: z.string() }),
  /** The configuration in effect; journals of older versions lack it. */
  before: z.nullable(z.object({ inEffect: z.nullable(z.string()) })),
  describe: ({ name }) => `On failure, reload the old configuration of "${name}"`,
  prepare: async (agent) => ({ inEffect: await configInEffect(agent) }),
  apply: async () => {},
  async revert({ configFile, ...agent }, before, { ports, say }, signal) {
    const inEffect = await configInEffect(agent);
    // Nothing was reloaded. The old file may be one that the agent has refused before, and would refuse again.
    if (inEffect !== null && inEffect === before?.inEffect) return;
    const old = await digestIfAny(configFile);
    const { state } = await ports.services.status(agent.name);
    if (old === null || state !== 'running' || old === inEffect) return;
    try {
      await reload(agent, old, ports.services, signal);
    } catch {
      say('the agent did not reload the old configuration; it is restarted');
      const limit = within(RESTART_LIMIT_MS, signal);
      await ports.services.restart(agent.name, limit);
    }
  },
});

async function reload(agent: Agent, sha256: string, services: ServiceManager, signal: AbortSignal): Promise<void> {
  const earlier = (await readAgentStatus(agent.stateFolder))?.lastReload?.at;
  await services.control(agent.name, 'reload');
  const limit = within(RELOAD_LIMIT_MS, signal);
  const isOver = async (): Promise<boolean> => {
    await requireRunning(agent, services);
    const status = await readAgentStatus(agent.stateFolder);
    return status?.lastReload !== undefined && status.lastReload.at !== earlier && isTakenUp(status, sha256);
  };
  await waitUntil('waiting for the agent to reload its configuration', isOver, limit);
}

function isTakenUp({ lastReload, configSha256 }: AgentStatus, sha256: string): boolean {
  if (lastReload?.outcome === 'refused') throw refused(lastReload);
  return configSha256 === sha256;
}

async function configInEffect({ stateFolder }: Agent): Promise<string | null> {
  return (await readAgentStatus(stateFolder))?.configSha256 ?? null;
}

async function requireRunning({ name }: Agent, services: ServiceManager): Promise<void> {
  const { state } = await services.status(name);
  if (state === 'running') return;
  throw new OperatorError('SERVICE_FAILED', `The agent did not reload its configuration: its service is ${state}`, {
    hint: `Look at its log: ${services.commandLine('logs', name)}`,
    details: await serviceLog(services, name),
  });
}

function refused({ message, code, hint }: NonNullable<AgentStatus['lastReload']>): OperatorError {
  const reason = message ?? 'no reason reported';
  return new OperatorError(knownCode(code), `The agent refused its new configuration: ${reason}`, {
    hint: hint ?? 'Look at the log of the agent.',
  });
}

/** An agent of another version may have codes that this program does not know. */
function knownCode(code: string | undefined): ErrorCode {
  const known = Object.keys(ERROR_CODES).find((name): name is ErrorCode => name === code);
  return known ?? 'RELOAD_REVERTED';
}
