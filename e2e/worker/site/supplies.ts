import { join } from 'node:path';
import { prepareKubernetes } from '../../beds/kubernetes/build-kubernetes.ts';
import { CLUSTER_VERSION } from '../../beds/kubernetes/kubeadm-cluster.ts';
import { unlimited } from '../../cloud/patience.ts';
import { standInKubelet } from '../stand-in/stand-in-kubelet.ts';
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

/** The same for Windows, where none of them is broken or too new. */
export const REAL_WINDOWS_KUBELETS: Supplies = {
  releases: REAL,
  async fill(source) {
    const programs = await prepareKubernetes(unlimited());
    for (const version of [REAL.first, REAL.next])
      await source.add(version, 'kubelet.exe', { file: join(programs, `kubelet-${version}.exe`) });
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
