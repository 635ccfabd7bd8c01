import { isVersion } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { askProgram } from '@fenestra/releases';

/** The version that a containerd says it is; `undefined` for one that says nothing. Only for one whose bytes are proved. */
export async function containerdVersion(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return versionIn(await askProgram({ path, args: ['--version'], calledAs: 'containerd' }, signal));
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'RELEASE_INVALID') return undefined;
    throw error;
  }
}

/** `containerd github.com/containerd/containerd/v2 v2.1.4 75cb2b71`. */
export function versionIn(answer: string): string | undefined {
  return answer.split(/\s+/).find((word) => word.startsWith('v') && isVersion(word));
}
