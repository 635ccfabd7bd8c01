import type { AgentStatus } from '@fenestra/contracts';
import { readTextIfAny } from '@fenestra/platform';
import { parseJson } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { BeforeFile, lookAt, putBack, putInPlace } from '../replaced-files.ts';
import { readAgentStatus } from './judge-agent.ts';

const Names = z.array(z.string());

/**
 * Records which pods run, right before the agent stops, so that the next one is judged by them. Of an agent that reports
 * no pods nothing is recorded.
 */
export const recordPods = defineStep({
  kind: 'record-pods',
  data: z.object({ service: z.string(), stateFolder: z.string(), path: z.string() }),
  before: z.object({ file: BeforeFile, pods: z.exactOptional(Names) }),
  describe: () => 'Record which pods run',
  async prepare({ service, stateFolder, path }, { ports }) {
    const { pid } = await ports.services.status(service);
    const agent = await readAgentStatus(stateFolder);
    const file = await lookAt(path);
    return agent?.pods === undefined || agent.pid !== pid ? { file } : { file, pods: runningPods(agent.pods) };
  },
  async apply({ path }, { file, pods }, { ports }, signal) {
    // A record of an earlier change would be taken for one of this change.
    if (pods === undefined && file.digest === null) return;
    await putInPlace({ path, content: JSON.stringify(pods ?? []) }, file, ports, signal);
  },
  revert: async ({ path }, { file }, { ports }, signal) => putBack(path, file, ports, signal),
});

/** Those that are expected to go on running. */
function runningPods(pods: NonNullable<AgentStatus['pods']>): string[] {
  return pods.filter(({ state }) => state === 'running').map(({ name }) => name);
}

/** The pods that were recorded; none where nothing was. */
export async function readRecordedPods(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined) return [];
  return Names.parse(parseJson((await readTextIfAny(path)) ?? '[]'));
}
