import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandFailed } from '../../support/beds/command.ts';
import type { JoinableCluster } from '../../support/beds/kubernetes/kubeadm-cluster.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';

/** What a distribution's packages bring: the programs, and a service that starts the kubelet with kubeadm's files. */
export const PACKAGED = {
  kubelet: '/usr/bin/kubelet',
  kubeadm: '/usr/bin/kubeadm',
  unit: '/lib/systemd/system/kubelet.service',
} as const;

const UNIT = `[Unit]
Description=kubelet: The Kubernetes Node Agent
[Service]
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=${PACKAGED.kubelet} --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS
Restart=always
RestartSec=2
[Install]
WantedBy=multi-user.target
`;
const JOIN_MS = 3 * 60_000;

/** Makes the machine a worker with kubeadm itself, as it was done before there was anything of ours on it. */
export async function joinByKubeadm({ node }: KeadmMachine, cluster: JoinableCluster): Promise<void> {
  for (const name of ['kubelet', 'kubeadm'] as const)
    await copyFile(join(cluster.programs, name), node.hostPath(PACKAGED[name]));
  await mkdir(dirname(node.hostPath(PACKAGED.unit)), { recursive: true });
  await writeFile(node.hostPath(PACKAGED.unit), UNIT);
  await node.run('systemctl', ['enable', 'kubelet']);
  const socket = ['--cri-socket', '/run/containerd/containerd.sock'];
  const trust = ['--token', await cluster.makeToken(), '--discovery-token-ca-cert-hash', cluster.pin];
  // Its own checks ask for a crictl and for kernel settings that this machine shares with others.
  const args = ['join', cluster.endpoint, ...trust, ...socket, '--ignore-preflight-errors=all'];
  const result = await node.run(PACKAGED.kubeadm, args, { timeoutMs: JOIN_MS });
  if (result.exitCode !== 0) throw commandFailed('kubeadm join', result);
}
