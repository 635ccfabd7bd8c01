import type { OperatorError } from '@fenestra/kernel';
import type { RemoteHost } from '@fenestra/platform';
import type { NodeSurvey } from '../run/node-worker.ts';
import { hasCode, unsupported } from './failures.ts';
import type { FarSystem, Findings, Task } from './far-system.ts';
import { runRemote } from './remote-command.ts';

/** The kinds of machine there are. */
export type Systems = Readonly<Record<NodeSurvey['os'], FarSystem>>;

interface FoundSystem {
  readonly system: FarSystem;
  readonly shell: NodeSurvey['shell'];
  readonly findings: Findings;
}

/** Looks at a machine as a Linux one first, since most are; only one that refuses is asked for its system. */
export async function findSystem({ linux, windows }: Systems, task: Task): Promise<FoundSystem> {
  let refusal: unknown;
  if (task.node.os !== 'windows') {
    try {
      return { system: linux, shell: 'posix', findings: await linux.look(task) };
    } catch (error) {
      if (!hasCode(error, 'REMOTE_UNSUPPORTED', 'BECOME_REFUSED')) throw error;
      refusal = error;
    }
  }
  const shell = await probe(task.host, task.signal);
  if (shell !== 'posix') return { system: windows, shell, findings: await windows.look(task) };
  throw refusal ?? noWindows(task);
}

function noWindows({ node }: Task): OperatorError {
  return unsupported(node.name, 'the file says that it is a Windows machine, and it is not');
}

/** Each shell fills in another part of it: cmd the first, PowerShell the second, all others neither. */
const QUESTION = 'echo "fenestra;%OS%;$env:OS;"';
/** For shells that do not take a variable which is not there. */
const POSIX_QUESTION = "sh -c 'echo fenestra,,'";

/** Finds out which shell reads our command lines. */
export async function probe(host: RemoteHost, signal: AbortSignal): Promise<NodeSurvey['shell']> {
  let said = '';
  for (const line of [QUESTION, POSIX_QUESTION]) {
    const { output, errors } = await runRemote(host, { line, activity: 'finding out its system' }, signal);
    const found = readProbe(output);
    if (found !== undefined) return found;
    said = errors;
  }
  const why = `its shell sent an unknown answer${said === '' ? '' : `: ${said}`}`;
  throw unsupported(host.target.name, why);
}

/** Reads the answer; `undefined` if there is none among what was printed. */
export function readProbe(output: string): NodeSurvey['shell'] | undefined {
  const [, cmd, rest] = /^"?fenestra[;,]([^;,\n]*)[;,](.*)$/m.exec(output) ?? [];
  if (cmd === undefined || rest === undefined) return undefined;
  if (cmd === 'Windows_NT') return 'cmd';
  return rest.startsWith('Windows_NT') ? 'powershell' : 'posix';
}
