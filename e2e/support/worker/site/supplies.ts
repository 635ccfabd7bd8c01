import { join } from 'node:path';
import { prepareKubernetes } from '../../beds/kubernetes/build-kubernetes.ts';
import { CLUSTER_VERSION } from '../../beds/kubernetes/kubeadm-cluster.ts';
import { unlimited } from '../../cloud/patience.ts';
import { standInKubelet } from '../stand-in/stand-in-kubelet.ts';
import { withWindowsKubelet } from '../stand-in/windows-kubelet.ts';
import { SMALL_CLUSTER_VERSION } from '../small-cluster/small-cluster.ts';
import type { ProgramSource } from './program-source.ts';
import type { Releases } from './worker-site.ts';

/** Where a site's programs come from. */
export interface Supplies {
  readonly releases: Releases;
  /** Puts every release into the source. */
  fill(source: ProgramSource): Promise<void>;
}

const BAD = { broken: 'broken', mute: 'mute' } as const;
const REAL: Releases = { first: CLUSTER_VERSION, next: 'v1.20.3', tooNew: 'v1.21.0', ...BAD };
const STAND_INS: Releases = { first: SMALL_CLUSTER_VERSION, next: 'v1.32.1', tooNew: 'v1.33.0', ...BAD };

/** Kubelets of the real cluster's source; only the bad ones are ours. */
export const REAL_KUBELETS: Supplies = {
  releases: REAL,
  async fill(source) {
    const programs = await prepareKubernetes(unlimited());
    await source.add(REAL.first, 'kubelet', { file: join(programs, 'kubelet') });
    for (const version of [REAL.next, REAL.tooNew])
      await source.add(version, 'kubelet', { file: join(programs, `kubelet-${version}`) });
    await addBad(source, REAL.next);
  },
};

/**
 * For Windows: stand-ins, because Wine lacks the performance counters without which a kubelet does not start. So the real
 * kubelet.exe of the cluster's source, which says its version there and no more, is the broken one.
 */
export const WINDOWS_KUBELETS: Supplies = {
  releases: REAL,
  async fill(source) {
    const programs = await prepareKubernetes(unlimited());
    for (const version of [REAL.first, REAL.next])
      await withWindowsKubelet(version, async (file) => source.add(version, 'kubelet.exe', { file }));
    await source.add(BAD.broken, 'kubelet.exe', { file: join(programs, `kubelet-${REAL.next}.exe`) });
  },
};

/** Programs of ours that play kubelets. */
export const STAND_IN_KUBELETS: Supplies = {
  releases: STAND_INS,
  async fill(source) {
    for (const version of [STAND_INS.first, STAND_INS.next, STAND_INS.tooNew])
      await source.add(version, 'kubelet', { content: standInKubelet(version, 'good') });
    await addBad(source, STAND_INS.next);
  },
};

async function addBad(source: ProgramSource, version: string): Promise<void> {
  await source.add(BAD.broken, 'kubelet', { content: standInKubelet(version, 'crash') });
  await source.add(BAD.mute, 'kubelet', { content: standInKubelet(version, 'mute') });
}
