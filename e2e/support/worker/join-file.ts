import { writeFile } from 'node:fs/promises';
import { type Answer, ask, AT_ONCE } from '../lifecycle/answer.ts';
import { pathOn } from '../machines/keadm-machine.ts';
import { releaseArgs } from './administrator.ts';
import type { WorkerSite } from './site/worker-site.ts';

/** The file of a join. */
export interface FileJoin {
  readonly token: string;
  /** Default: the cluster's own. */
  readonly endpoint?: string;
  readonly pin?: string;
  /** Default: the first. */
  readonly release?: string;
  /** How long the cluster may take to be found, or to give a certificate. Kubeadm's own patience is minutes. */
  readonly patience?: string;
  readonly wait?: string;
}

/** Joins by a JoinConfiguration of kubeadm, which lies among the administrator's own files. */
export async function joinByFile(site: WorkerSite, wishes: FileJoin): Promise<Answer> {
  const { machine, releases, waived } = site;
  const file = pathOn(machine, machine.paths.ownFolder, 'join.yaml');
  await writeFile(machine.node.hostPath(file), JSON.stringify(joinConfiguration(site, wishes)), { mode: 0o600 });
  const checks = waived.length === 0 ? [] : ['--skip-check', waived.join(',')];
  const release = releaseArgs(site, wishes.release ?? releases.first);
  const wait = ['--wait', wishes.wait ?? '30s'];
  return ask(machine, ['kube', 'join', '--config', file, ...release, ...checks, ...wait, ...AT_ONCE]);
}

function joinConfiguration({ cluster }: WorkerSite, wishes: FileJoin): object {
  const { token, endpoint, pin, patience = '6s' } = wishes;
  return {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    discovery: {
      bootstrapToken: {
        token,
        apiServerEndpoint: endpoint ?? cluster.endpoint,
        caCertHashes: [pin ?? cluster.pin],
      },
    },
    timeouts: { discovery: patience, tlsBootstrap: patience },
  };
}
