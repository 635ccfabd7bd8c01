import { join } from 'node:path';
import { cloudcoreYaml, type CloudWishes } from './cloudcore-yaml.ts';
import { RECOVERY_POLICY, type NodeLayout } from '@fenestra/platform';
import { CLOUD_SERVICE } from '../service-program/cloud-name.ts';
import type { ProgramService } from '../service-program/program-service.ts';

/** cloudcore as a service of this machine, with the Kubernetes API inside it if that was asked for. */
export function cloudService(layout: NodeLayout, wishes: CloudWishes): ProgramService {
  const config = join(layout.configFolder, 'config', 'cloudcore.yaml');
  const { embeddedAddress } = wishes;
  const embedded = ['--embedded', layout.cloudFolder, '--embedded-address', embeddedAddress ?? ''];
  return {
    spec: {
      name: CLOUD_SERVICE,
      displayName: 'KubeEdge CloudCore',
      description: 'Talks to the Kubernetes API and to every edge node',
      executable: layout.cloudExecutable,
      args: ['--config', config, ...(embeddedAddress === undefined ? [] : embedded)],
      startType: 'automatic',
      dependencies: [],
      recovery: RECOVERY_POLICY,
      writableFolders: [],
    },
    programFolder: layout.programFolder,
    folders: [join(layout.configFolder, 'config'), layout.cloudFolder, layout.programFolder],
    stateFolder: layout.cloudFolder,
    files: [{ path: config, content: cloudcoreYaml(wishes) }],
  };
}
