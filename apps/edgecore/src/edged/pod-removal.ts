import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ContainerRuntime } from '@fenestra/cri';
import { LABELS, podLogFolder, podUidOfCgroup } from '@fenestra/pods';
import type { PodHost } from '@fenestra/platform';
import type { EdgedSettings } from './edged-settings.ts';

/** What is done for pods that have no worker. */
export interface PodRemoval {
  /** Removes what the runtime and the disk still have of a pod of which nothing runs any more. */
  removePod(uid: string, signal: AbortSignal): Promise<void>;
  /** The uids of the pods that have a folder or a control group. */
  podsOnDisk(): Promise<ReadonlySet<string>>;
}

/** What removing pods takes. */
export interface PodRemovalOptions {
  readonly runtime: ContainerRuntime;
  readonly host: PodHost;
  readonly settings: Pick<EdgedSettings, 'logFolder' | 'rootFolder'>;
}

/** Removes pods whose definition is not known any more. */
export function podRemoval({ runtime, host, settings }: PodRemovalOptions): PodRemoval {
  return {
    async removePod(uid, signal) {
      const sandboxes = await runtime.listSandboxes({ labelSelector: { [LABELS.podUid]: uid } }, signal);
      for (const { id, labels } of sandboxes) {
        await runtime.stopSandbox(id, signal);
        await runtime.removeSandbox(id, signal);
        const [namespace, name] = [labels[LABELS.podNamespace] ?? '', labels[LABELS.podName] ?? ''];
        await host.removeFolder(join(settings.logFolder, podLogFolder({ namespace, name, uid })), signal);
      }
      for (const path of await host.listPodCgroups()) {
        if (podUidOfCgroup(basename(path)) === uid) await host.removePodCgroup(path);
      }
      await host.removeFolder(join(settings.rootFolder, 'pods', uid), signal);
    },
    async podsOnDisk() {
      const folders = await readdir(join(settings.rootFolder, 'pods')).catch(() => []);
      const groups = (await host.listPodCgroups()).flatMap((path) => podUidOfCgroup(basename(path)) ?? []);
      return new Set([...folders, ...groups]);
    },
  };
}
