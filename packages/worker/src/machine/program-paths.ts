import type { WorkerLayout } from '@fenestra/platform';
import type { ProgramName } from '@fenestra/steps';

/** Where a program of Kubernetes has its place on a worker. */
export function programPath(layout: WorkerLayout, name: ProgramName): string {
  const places: Readonly<Record<ProgramName, string>> = {
    kubelet: layout.kubelet,
    'kube-proxy': layout.kubeProxy,
    kubeadm: layout.kubeadm,
  };
  return places[name];
}
