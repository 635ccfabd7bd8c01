import type { ImageMaker, ImageSession } from '@fenestra/imaging';
import { OperatorError } from '@fenestra/kernel';
import type { WorkerHostFacts } from '@fenestra/platform';
import type { WorkerSession } from '@fenestra/worker';
import type { KeadmEnvironment } from '../../platform.ts';
import { openWorkerSession } from '../kube/open-worker-session.ts';

/** The machine that becomes an image, which may become a worker. */
export type MachineSession = ImageSession & WorkerSession;

/** Makes ready to make this machine an image. Images are made of Windows alone. */
export async function openImageSession(environment: KeadmEnvironment, action: string): Promise<MachineSession> {
  const { host, setup, workerFacts } = await environment.loadPlatform(undefined);
  if (setup === undefined) throw notWindows(action);
  await host.requireElevation(`keadm image ${action}`);
  const session = await openWorkerSession(environment, undefined, 'prepare');
  return {
    ...session,
    ports: { ...session.ports, setup },
    workerFacts: async () => withContainerd(await workerFacts()),
  };
}

/** An image always gets containerd: what depends on it depends on it before it is there, too. */
function withContainerd(facts: WorkerHostFacts): WorkerHostFacts {
  if (facts.os !== 'windows' || facts.containerdService !== 'absent') return facts;
  return { ...facts, containerdService: 'stopped' };
}

/** Who makes images here. */
export function makerOf({ version, commit, now }: KeadmEnvironment): ImageMaker {
  return { version, commit, now: now() };
}

function notWindows(action: string): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot ${action} an image here: this machine does not run Windows`, {
    hint: 'Run it on the Windows machine that becomes the image; "keadm image plan" works on every system.',
  });
}
