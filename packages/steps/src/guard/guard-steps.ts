import { dirname } from 'node:path';
import { within, digestIfAny, EXECUTABLE_MODE, requireSpace } from '@fenestra/platform';
import * as z from 'zod/mini';
import {
  type StepPorts,
  GUARD_SERVICE,
  guardService,
  SPACE_RESERVE_BYTES,
  spaceReserveOf,
  writeSpaceReserve,
} from '@fenestra/session';
import type { Phase } from '@fenestra/kernel';
import { changedMeanwhile } from '../replaced-files.ts';
import { defineStep } from '../define-step.ts';

const LIMIT_MS = 120_000;

/** Sets a service up that ends this plan if anyone who runs it dies, be it by a power cut. */
export const armGuard = defineStep({
  kind: 'arm-guard',
  data: z.object({
    /** The program that runs this plan: only it is sure to understand the plan's journal. */
    from: z.string(),
    sha256: z.string(),
    executable: z.string(),
    /** The folder below which the node lives, if not the whole machine. */
    root: z.nullable(z.string()),
  }),
  describe: () => 'Arm the guard that restores the node if this command is killed',
  async apply({ from, sha256, executable, root }, _before, { ports, progress }, signal) {
    if ((await digestIfAny(executable)) !== sha256) {
      await ports.files.createFolder(dirname(executable));
      await ports.access.makePrivate(dirname(executable));
      const copied = await ports.files.copy(from, executable, { mode: EXECUTABLE_MODE, onProgress: progress }, signal);
      if (copied.sha256 !== sha256) throw changedMeanwhile(from);
    }
    // Found out now, while the agent still runs: on a full disk it could not be started again either.
    await requireSpace(ports.host, executable, SPACE_RESERVE_BYTES);
    await writeSpaceReserve(executable);
    await ports.services.install(guardService(executable, root));
    await ports.services.start(GUARD_SERVICE, within(LIMIT_MS, signal));
  },
  revert: async ({ executable }, _before, { ports }, signal) => disarm(executable, ports, signal),
});

/** Takes the guard away once the plan needs it no more. */
export const disarmGuard = defineStep({
  kind: 'disarm-guard',
  // Without the guard, a rollback would depend on this command alone.
  pointOfNoReturn: true,
  data: z.object({ executable: z.string() }),
  describe: () => 'Disarm the guard',
  apply: async ({ executable }, _before, { ports }, signal) => disarm(executable, ports, signal),
});

async function disarm(executable: string, { files, host, services }: StepPorts, signal: AbortSignal): Promise<void> {
  await files.removeTree(spaceReserveOf(executable), dirname(executable), signal);
  const { pid } = await services.status(GUARD_SERVICE);
  // A guard that completes a plan must outlive it: it ends by itself afterwards.
  if (pid === (await host.self()).pid) return services.forget(GUARD_SERVICE);
  await services.stop(GUARD_SERVICE, within(LIMIT_MS, signal));
  // Not removed, which waits until the name is free: on Windows an open console of services can keep it for hours.
  await services.forget(GUARD_SERVICE);
  // On Windows a program that has just ended may still be held open for a moment; the next guard replaces it.
  await files.removeTree(executable, dirname(executable), signal).catch(() => undefined);
}

/** What a guard is made of. */
export interface Guard {
  /** The program that runs this command. */
  readonly program: { readonly path: string; readonly sha256: string };
  readonly executable: string;
  readonly root: string | undefined;
}

/** From here on the node comes back by itself, even if this command dies or the power goes. */
export function armGuardIf<Facts>(isNeeded: (facts: Facts) => boolean, guardOf: (facts: Facts) => Guard): Phase<Facts> {
  return {
    id: 'arm-guard',
    title: 'Arm the guard',
    plan(facts) {
      if (!isNeeded(facts)) return [];
      const { program, executable, root } = guardOf(facts);
      return [armGuard({ from: program.path, sha256: program.sha256, executable, root: root ?? null })];
    },
  };
}
