import { isVersion, versionTag } from '@fenestra/contracts/version';
import { askProgram, cannotTell } from './ask-program.ts';

/** Our own agent prints its bare version, upstream's puts the product's name before it. */
const ANSWER = /^(?:(KubeEdge|fenestra) )?(v?\d\S*)/;

/** What a program says about itself. */
export interface ExecutableVersion {
  readonly kind: 'fenestra' | 'upstream';
  readonly version: string;
}

/** Asks a program for its version by running it. It is called `edgecore`, so that ours answers as the agent. */
export async function executableVersion(path: string, signal: AbortSignal): Promise<ExecutableVersion> {
  const answer = await askProgram({ path, args: ['--version'], calledAs: 'edgecore' }, signal);
  const [, product, version] = ANSWER.exec(answer.trim()) ?? [];
  if (version === undefined || !isVersion(version)) throw cannotTell(path, 'it does not report its version');
  return { kind: product === 'KubeEdge' ? 'upstream' : 'fenestra', version: versionTag(version) };
}
