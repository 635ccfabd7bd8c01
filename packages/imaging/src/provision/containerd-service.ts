import type { RecoveryPolicy, ServiceSpec } from '@fenestra/platform';
import { containerdProgram, type ImageLayout } from './image-layout.ts';

/** containerd's name as a service, by which the kubelet's depends on it. */
export const CONTAINERD_SERVICE = 'containerd';

const RECOVERY: RecoveryPolicy = { restartDelaysSeconds: [5, 10, 30], resetAfterSeconds: 60 * 60 };

/** containerd as a service of Windows, which it can be by itself. */
export function containerdService(layout: ImageLayout): ServiceSpec {
  return {
    name: CONTAINERD_SERVICE,
    displayName: 'containerd',
    description: 'Runs the containers of this machine',
    executable: containerdProgram(layout),
    args: ['--run-service', '--config', layout.containerdConfig],
    startType: 'automatic',
    dependencies: [],
    recovery: RECOVERY,
    rights: 'all',
    writableFolders: [],
  };
}
