import type { OperatorError } from '@fenestra/kernel';
import type { NodeSurvey } from '../run/node-worker.ts';
import type { FarSystem, Findings, Task } from './far-system.ts';
import { hasCode, unsupported } from './failures.ts';
import { probe } from './probe.ts';

/** The kinds of machine there are. */
export type Systems = Readonly<Record<NodeSurvey['os'], FarSystem>>;

/** What kind of machine it is, and what was found there. */
export interface FoundSystem {
  readonly system: FarSystem;
  readonly shell: NodeSurvey['shell'];
  readonly findings: Findings;
}

/**
 * Looks at a machine as if it was a Linux one, which most are; only one that does not take it is asked what it is, so that
 * all others cost a single question.
 */
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
