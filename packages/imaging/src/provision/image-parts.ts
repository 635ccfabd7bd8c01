import { win32 } from 'node:path';
import type { ImageConfig, ImageRole } from '../image/config/schema.ts';
import { pauseImage } from '@fenestra/contracts/kube';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';
import { cloudbaseConf, cloudbaseUnattendConf } from './cloudbase-conf.ts';
import { containerdConfig } from './containerd-config.ts';
import type { ImageLayout } from './image-layout.ts';
import { setupCompleteText } from './setup-complete.ts';

/** The part of Windows without which there are no containers. */
export const CONTAINERS_FEATURE = 'Containers';

const PAUSE_REPOSITORY = 'registry.k8s.io';
/** For an edge node, whose cloud says nothing about it. */
const PAUSE_VERSION = 'v1.33.0';

type CniFolders = Pick<WorkerLayout, 'cniConfigFolder' | 'cniProgramFolder'>;

/** What containerd's configuration must be. */
export function containerdText(config: ImageConfig, layout: ImageLayout, worker: CniFolders): string {
  return containerdConfig({
    version: config.containerd.version,
    root: layout.containerdRoot,
    state: layout.containerdState,
    cniPrograms: worker.cniProgramFolder,
    cniConfig: worker.cniConfigFolder,
    pauseImage: config.pauseImage ?? pauseImage(config.kubernetes?.version ?? PAUSE_VERSION, PAUSE_REPOSITORY),
  });
}

/** The texts that tell cloudbase-init and Windows what to do when the image first starts. */
export function cloudbaseFiles({ platform }: ImageConfig, layout: ImageLayout): Readonly<Record<string, string>> {
  const settings = { platform, folder: layout.cloudbaseFolder };
  return {
    [layout.cloudbaseConfig]: cloudbaseConf(settings),
    [layout.cloudbaseUnattendConfig]: cloudbaseUnattendConf(settings),
    [layout.setupComplete]: setupCompleteText(platform),
  };
}

/** The folders whose programs every shell must find. */
export function searchFolders(
  { containerdFolder }: ImageLayout,
  { programFolder }: Pick<WorkerLayout, 'programFolder'>,
): readonly string[] {
  return [containerdFolder, programFolder];
}

/** Where this program goes: where every shell finds it, and where an edge node's agent is, which is the same program. */
export function ownPrograms(
  role: ImageRole,
  { agentExecutable }: Pick<NodeLayout, 'agentExecutable'>,
  { programFolder }: Pick<WorkerLayout, 'programFolder'>,
): readonly string[] {
  const tool = win32.join(programFolder, 'keadm.exe');
  return role === 'edge' ? [tool, agentExecutable] : [tool];
}

/** The folders that must be there before anything is put into them. */
export function imageFolders(layout: ImageLayout, worker: CniFolders): readonly string[] {
  return [
    win32.dirname(layout.containerdConfig),
    layout.containerdRoot,
    layout.containerdState,
    worker.cniConfigFolder,
    worker.cniProgramFolder,
    win32.dirname(layout.setupComplete),
    ...layout.bootstrapFolders,
  ];
}
