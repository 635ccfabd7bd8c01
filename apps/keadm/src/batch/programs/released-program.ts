import { OperatorError } from '@fenestra/kernel';
import { fetchAgent } from '@fenestra/steps';
import { releaseSecrets, resolveAgentSource, type AgentSource } from '@fenestra/releases';
import { describedProgram } from './described-program.ts';
import { scratchFile, stepPorts, type ProgramTools } from './program-tools.ts';
import type { FoundProgram, ProgramTarget } from './program-target.ts';

/** One from a release, in a folder or at an address: proved by the release's digests, and by its signature if keys are trusted. */
export async function releasedProgram(
  from: string,
  target: ProgramTarget,
  { version }: { readonly version: string | undefined },
  tools: ProgramTools,
): Promise<FoundProgram> {
  const { executable, version: own, trustKeys, signal } = tools.environment;
  const request = { from, version, target, trustKeys };
  const source = await resolveAgentSource(request, { executable, version: own, variables: process.env }, signal);
  if (source.kind === 'upstream') throw notOurs(source);
  const to = scratchFile(tools, target);
  await fetchTo(to, source, from, tools);
  return describedProgram(to, target, source.version);
}

/** What runs on the nodes has to understand this program, which only its own kind does. */
function notOurs({ origin }: AgentSource): OperatorError {
  return new OperatorError('RELEASE_INVALID', `Cannot send what is at "${origin}": it is a KubeEdge release`, {
    hint: 'Name a release of this program, or leave "keadm.download" out: then this executable is sent.',
  });
}

/** The same step that an upgrade fetches its agent with: it takes up what was cut off, and checks what it got. */
async function fetchTo(to: string, source: AgentSource, from: string, tools: ProgramTools): Promise<void> {
  const context = { ports: await stepPorts(tools, releaseSecrets(from)), progress: () => {}, say: () => {} };
  const step = fetchAgent({ source, to, downloads: `${to}-downloads` });
  await fetchAgent.handler.apply(step, { digest: null }, context, tools.environment.signal);
}
