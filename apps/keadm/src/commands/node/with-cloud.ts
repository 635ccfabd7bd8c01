import type { CloudAdmin } from '@fenestra/lifecycle/cloud';
import type { KeadmEnvironment } from '../../platform.ts';
import { findKubeconfig } from '../kubeconfig-option.ts';

/** Which cloud a command is about. */
export interface CloudFlags {
  readonly root?: string;
  readonly kubeconfig?: string;
}

/** Opens the cloud that was named, or that of this machine, and closes it afterwards. */
export async function withCloud<T>(
  environment: KeadmEnvironment,
  flags: CloudFlags,
  work: (cloud: CloudAdmin) => Promise<T>,
): Promise<T> {
  const { openCloudAdmin } = await environment.loadCloud();
  const cloud = await openCloudAdmin(await findKubeconfig(environment, flags));
  try {
    return await work(cloud);
  } finally {
    cloud.close();
  }
}
