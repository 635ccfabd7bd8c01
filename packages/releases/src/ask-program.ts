import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment, throwIfAborted, within } from '@fenestra/platform';
import { isVersion, versionTag } from '@fenestra/contracts/version';
import { releaseInvalid } from './release-errors.ts';
import type { ProgramName } from './programs/program-source.ts';

/** A large program on a slow disk of a busy machine starts slowly the first time. */
const LIMIT_MS = 60_000;
const MAX_ANSWER = 4096;

/** A program to be run for what it says. */
export interface AskedProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** What the program takes for its own name. */
  readonly calledAs: string;
}

/** What a program prints when it is asked for its version; `RELEASE_INVALID` if it does not answer. */
export async function askProgram(program: AskedProgram, signal: AbortSignal): Promise<string> {
  const limit = within(LIMIT_MS, signal);
  try {
    return await answerOf(program, limit);
  } catch (cause) {
    throwIfAborted(`asking "${program.path}" for its version`, signal);
    throw cannotTell(program.path, limit.aborted ? 'it does not answer' : 'it does not run', cause);
  }
}

function cannotTell(path: string, reason: string, cause?: unknown): Error {
  const hint = `Run "${path}" with "--version" yourself; the file must be executable in its folder.`;
  return releaseInvalid(`find out the version of "${path}": ${reason}`, hint, cause);
}

async function answerOf({ path, args, calledAs }: AskedProgram, signal: AbortSignal): Promise<string> {
  const child = spawn(path, args, {
    argv0: calledAs,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const [answer, [exitCode]] = await Promise.all([beginningOf(child.stdout), once(child, 'close')]);
  if (exitCode === 0) return answer;
  throw new Error(`it ends with exit code ${exitCode}`);
}

/** Reads on to the end, because a program that no one listens to may never end. */
async function beginningOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of output) if (text.length < MAX_ANSWER) text += piece.toString('utf8');
  return text;
}

/** Our own agent prints its bare version, upstream's puts the product's name before it. */
const AGENT_ANSWER = /^(?:(KubeEdge|fenestra) )?(v?\d\S*)/;

/** What a program says about itself. */
export interface ExecutableVersion {
  readonly kind: 'fenestra' | 'upstream';
  readonly version: string;
}

/** Asks a program for its version by running it. It is called `edgecore`, so that ours answers as the agent. */
export async function executableVersion(path: string, signal: AbortSignal): Promise<ExecutableVersion> {
  const answer = await askProgram({ path, args: ['--version'], calledAs: 'edgecore' }, signal);
  const [, product, version] = AGENT_ANSWER.exec(answer.trim()) ?? [];
  if (version === undefined || !isVersion(version)) throw cannotTell(path, 'it does not report its version');
  return { kind: product === 'KubeEdge' ? 'upstream' : 'fenestra', version: versionTag(version) };
}

/** How each program is asked for its version; kubeadm has no flag for it. */
const QUESTIONS: Readonly<Record<ProgramName, readonly string[]>> = {
  kubelet: ['--version'],
  'kube-proxy': ['--version'],
  kubeadm: ['version', '-o', 'short'],
};

/** `Kubernetes v1.33.1`, or kubeadm's bare `v1.33.1`. */
const PROGRAM_ANSWER = /^(?:Kubernetes )?(v\d+\.\d+\.\d+\S*)/;

/** Asks a program of Kubernetes for its version by running it. Only for one whose bytes are proved. */
export async function programVersion(name: ProgramName, path: string, signal: AbortSignal): Promise<string> {
  const answer = await askProgram({ path, args: QUESTIONS[name], calledAs: name }, signal);
  const [, version] = PROGRAM_ANSWER.exec(answer.trim()) ?? [];
  if (version === undefined) throw cannotTell(path, 'it does not report its Kubernetes version');
  return version;
}
