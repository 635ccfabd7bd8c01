import { OperatorError } from '@fenestra/kernel';
import { executableVersion, type ExecutableVersion } from '@fenestra/releases';

/** Whose agent a program is. */
export type AgentKind = ExecutableVersion['kind'];

/** Asks the program itself, as only a running agent of ours says what it is by itself. */
export async function agentKindOf(program: string): Promise<AgentKind> {
  try {
    return (await executableVersion(program, new AbortController().signal)).kind;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    // One that does not even say its version is judged as strictly as ours.
    return 'fenestra';
  }
}
