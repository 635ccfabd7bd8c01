import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isVersion, versionTag } from '@fenestra/contracts';
import { throwIfAborted, within } from '@fenestra/platform';
import { releaseInvalid } from './release-errors.ts';

const LIMIT_MS = 10_000;
const MAX_ANSWER = 4096;
/** Our own agent prints its bare version, upstream's puts the product's name before it. */
const ANSWER = /^(?:(KubeEdge|fenestra) )?(v?\d\S*)/;

/** What a program says about itself. */
export interface ExecutableVersion {
  readonly kind: 'fenestra' | 'upstream';
  readonly version: string;
}

/** Asks a program for its version by running it. It is called `edgecore`, so that ours answers as the agent. */
export async function executableVersion(path: string, signal: AbortSignal): Promise<ExecutableVersion> {
  const answer = await run(path, signal);
  const [, product, version] = ANSWER.exec(answer.trim()) ?? [];
  if (version === undefined || !isVersion(version)) throw cannotTell(path, 'it does not say which version it is');
  return { kind: product === 'KubeEdge' ? 'upstream' : 'fenestra', version: versionTag(version) };
}

async function run(path: string, signal: AbortSignal): Promise<string> {
  const limit = within(LIMIT_MS, signal);
  try {
    return await answerOf(path, limit);
  } catch (cause) {
    throwIfAborted(`asking "${path}" for its version`, signal);
    throw cannotTell(path, limit.aborted ? 'it does not answer' : 'it does not run', cause);
  }
}

async function answerOf(path: string, signal: AbortSignal): Promise<string> {
  const child = spawn(path, ['--version'], {
    argv0: 'edgecore',
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const [answer, [exitCode]] = await Promise.all([beginningOf(child.stdout), once(child, 'close')]);
  if (exitCode === 0) return answer;
  throw new Error(`it ends with exit code ${exitCode}`);
}

/** Reads on to the end, because a program that nobody listens to may never end. */
async function beginningOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of output) if (text.length < MAX_ANSWER) text += piece.toString('utf8');
  return text;
}

function cannotTell(path: string, reason: string, cause?: unknown): Error {
  const hint = `See what "${path} --version" says; the file must be allowed to run from where it is.`;
  return releaseInvalid(`find out the version of "${path}": ${reason}`, hint, cause);
}
