import { buildFromSource } from './build-in-debian.ts';

/**
 * Kubernetes v1.20.2, built once per machine from Debian's source package in a Debian of its own, and kept.
 * Returns the folder that holds kube-apiserver, kube-controller-manager, kube-scheduler, kubelet, kubeadm, etcd, kubectl.
 */
export async function prepareKubernetes(signal: AbortSignal): Promise<string> {
  return buildFromSource(
    {
      name: 'kubernetes',
      script: 'build-programs.sh',
      install: ['etcd-server', 'kubernetes-client'],
      fromDebian: { etcd: 'usr/bin/etcd', kubectl: 'usr/bin/kubectl' },
    },
    signal,
  );
}

/**
 * The same source's kubelet under other versions, and for Windows, built once per machine. Returns the folder that
 * holds `kubelet-VERSION` and `kubelet-VERSION.exe`.
 */
export async function prepareKubelets(signal: AbortSignal): Promise<string> {
  return buildFromSource({ name: 'kubelets', script: 'build-kubelets.sh', install: [], fromDebian: {} }, signal);
}
