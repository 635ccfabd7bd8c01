import { join } from 'node:path';
import type { NodeLayout, RecoveryPolicy } from '@fenestra/platform';
import { minimalCloudcoreYaml } from '@fenestra/contracts';
import { parseDocument } from 'yaml';
import { CLOUD_SERVICE, type ProgramService } from '../service-program/agent-service.ts';

/**
 * A cloud that is away for longer than a node's lease (40 s) has every node marked as not ready, so it comes back at
 * once; only one that keeps failing waits longer.
 */
const CLOUD_RECOVERY: RecoveryPolicy = {
  restartDelaysSeconds: [1, 2, 4, 8, 15, 30, 60],
  resetAfterSeconds: 60 * 60,
};

/** cloudcore as a service of this machine, with the Kubernetes API inside it if that was asked for. */
export function cloudService(layout: NodeLayout, wishes: CloudWishes): ProgramService {
  const config = join(layout.configFolder, 'config', 'cloudcore.yaml');
  const { embeddedAddress } = wishes;
  const embedded = ['--embedded', layout.cloudFolder, '--embedded-address', embeddedAddress ?? ''];
  return {
    spec: {
      name: CLOUD_SERVICE,
      displayName: 'KubeEdge CloudCore',
      description: 'Connects the edge nodes to the Kubernetes API',
      executable: layout.cloudExecutable,
      args: ['--config', config, ...(embeddedAddress === undefined ? [] : embedded)],
      startType: 'automatic',
      dependencies: [],
      recovery: CLOUD_RECOVERY,
      writableFolders: [],
    },
    programFolder: layout.programFolder,
    folders: [join(layout.configFolder, 'config'), layout.cloudFolder, layout.programFolder],
    stateFolder: layout.cloudFolder,
    files: [{ path: config, content: cloudcoreYaml(wishes) }],
  };
}

/** Where the embedded API stores the kubeconfig of the administrator. */
export function adminKubeconfig({ cloudFolder }: NodeLayout): string {
  return join(cloudFolder, 'admin.kubeconfig');
}

/** What an operator may want of a cloud. */
export interface CloudWishes {
  /** Where nodes reach it. */
  readonly advertiseAddresses: readonly string[];
  readonly hubPort: number;
  readonly httpsPort: number;
  /** `host:port` of health and metrics. */
  readonly monitorAddress: string;
  /** `host:port` of the Kubernetes API inside it; without one it uses a cluster. */
  readonly embeddedAddress: string | undefined;
  /** The cluster's kubeconfig. */
  readonly kubeconfig: string | undefined;
}

/** A configuration file that says only what most clouds need to say. */
function cloudcoreYaml(wishes: CloudWishes): string {
  const document = parseDocument(minimalCloudcoreYaml({ addresses: wishes.advertiseAddresses }));
  document.setIn(['modules', 'cloudHub', 'websocket', 'port'], wishes.hubPort);
  document.setIn(['modules', 'cloudHub', 'https', 'port'], wishes.httpsPort);
  document.setIn(['commonConfig', 'monitorServer', 'bindAddress'], wishes.monitorAddress);
  if (wishes.kubeconfig !== undefined) document.setIn(['kubeAPIConfig', 'kubeConfig'], wishes.kubeconfig);
  return document.toString();
}
