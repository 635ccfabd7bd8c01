import { join } from 'node:path';
import type { Pod } from '@fenestra/pods';
import type { AccessControl, FileStore, Logger } from '@fenestra/platform';
import type { HubLink } from '../../hub/hub-link.ts';
import type { NodeMemory } from '../../meta/node-memory.ts';
import type { EdgedSettings } from '../edged-settings.ts';
import { MANIFEST_MEMORY, manifestMemory } from './manifest-memory.ts';
import { MirrorPods } from './mirror-pods.ts';
import { followStaticPods, type StaticPods } from './static-pods.ts';

/** What static pods take. */
export interface StaticPodParts {
  readonly hub: HubLink;
  readonly memory: NodeMemory;
  readonly settings: EdgedSettings;
  readonly store: FileStore;
  readonly access: Pick<AccessControl, 'exposures'>;
  readonly now: () => number;
  readonly log: Logger;
  /** The pods that run or still end. */
  readonly running: () => readonly Pod[];
  /** The static pods have changed. */
  readonly onChange: () => void;
  /** The mirror of this pod is new in the cloud. */
  readonly onMirror: (uid: string) => void;
}

/** Follows the folder of static pods and shows them in the cloud, until the signal fires. */
export function runStaticPods(
  { settings, store, ...parts }: StaticPodParts,
  signal: AbortSignal,
): StaticPods & { readonly ended: Promise<unknown> } {
  const { nodeName, rootFolder, staticPodPath: folder, fileCheckMs: lookEveryMs } = settings;
  const { access } = parts;
  const memory = manifestMemory(join(rootFolder, MANIFEST_MEMORY), { files: store, access });
  const onChange = (): void => {
    parts.onChange();
    mirrors.wake();
  };
  const files = followStaticPods({ ...parts, nodeName, folder, lookEveryMs, memory, onChange }, signal);
  const mirrors = new MirrorPods({ ...parts, nodeName, files });
  return Object.assign(files, { ended: Promise.all([files.ended, mirrors.run(signal)]) });
}
