import { type ContainerRuntime, diagnose, type RuntimeVersion, withRuntime } from '@fenestra/cri';
import type { RuntimeCondition } from '@fenestra/cri/messages';

/** Whether pods can run with a runtime. One that is usable may have a problem too: without a network, some pods cannot. */
export interface RuntimeReport {
  readonly usable: boolean;
  /** `containerd 1.6.20`; absent if no one said so. */
  readonly version?: string;
  /** Completes "The container runtime at …". */
  readonly problem?: string;
  readonly remedy?: string;
}

/** Asks the runtime at an endpoint who it is and whether it is ready. It throws only if interrupted. */
export async function inspectRuntime(endpoint: string, signal: AbortSignal): Promise<RuntimeReport> {
  try {
    const report = async (runtime: ContainerRuntime, version: RuntimeVersion): Promise<RuntimeReport> =>
      reportOf(version, (await runtime.status(signal)).conditions);
    return await withRuntime(endpoint, report, signal);
  } catch (error) {
    const { problem, remedy } = diagnose(error);
    return { usable: false, problem, remedy };
  }
}

/** What to think of a runtime that answered. */
function reportOf({ name, version, speaks }: RuntimeVersion, conditions: readonly RuntimeCondition[]): RuntimeReport {
  const known = { version: `${name} ${version}` };
  if (speaks !== 'v1') return { ...known, usable: false, ...tooOld(speaks) };
  const runtime = failing(conditions, 'RuntimeReady');
  if (runtime !== undefined)
    return { ...known, usable: false, problem: `is not ready${runtime}`, remedy: 'Read its log and fix the cause.' };
  const network = failing(conditions, 'NetworkReady');
  if (network === undefined) return { ...known, usable: true };
  return {
    ...known,
    usable: true,
    problem: `has no network for pods${network}`,
    remedy: 'Install a CNI plugin and its configuration, or run pods with hostNetwork only.',
  };
}

function tooOld(speaks: string): { problem: string; remedy: string } {
  return { problem: `supports only CRI ${speaks}, not v1`, remedy: 'Update it: containerd supports v1 since 1.6.' };
}

/** A condition that does not hold, as the end of a sentence; a runtime that does not mention it is taken at its word. */
function failing(conditions: readonly RuntimeCondition[], type: string): string | undefined {
  const condition = conditions.find((candidate) => candidate.type === type);
  if (condition === undefined || condition.status) return undefined;
  const reason = condition.message === '' ? condition.reason : condition.message;
  return reason === '' ? '' : `: ${reason}`;
}
