import { join } from 'node:path';

/** Where the parts of a control plane listen on loopback. */
export interface Ports {
  readonly etcd: number;
  readonly peer: number;
  readonly api: number;
}

/** The address of the API server. */
export function serverOf({ api }: Ports): string {
  return `https://127.0.0.1:${api}`;
}

/** Nothing of a test bed has to outlive a power cut. */
export function etcdArgs(folder: string, { etcd, peer }: Ports): readonly string[] {
  const [client, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--unsafe-no-fsync',
  ];
}

/** As kubeadm sets it up: nodes may do what nodes may, and join by bootstrap tokens. */
export function apiServerArgs(folder: string, { etcd, api }: Ports): readonly string[] {
  const key = join(folder, 'service-accounts.key');
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${api}`,
    `--tls-cert-file=${join(folder, 'server.crt')}`,
    `--tls-private-key-file=${join(folder, 'server.key')}`,
    `--client-ca-file=${join(folder, 'ca.crt')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--insecure-port=0',
  ];
}

/** With the controllers that bootstrap tokens need, and as the nodes' authority. */
export function controllerArgs(folder: string, kubeconfig: string): readonly string[] {
  return [
    '--kubeconfig',
    kubeconfig,
    '--leader-elect=false',
    '--port=0',
    '--secure-port=0',
    '--use-service-account-credentials=true',
    '--controllers=*,bootstrapsigner,tokencleaner',
    `--service-account-private-key-file=${join(folder, 'service-accounts.key')}`,
    `--root-ca-file=${join(folder, 'ca.crt')}`,
    `--cluster-signing-cert-file=${join(folder, 'ca.crt')}`,
    `--cluster-signing-key-file=${join(folder, 'ca.key')}`,
  ];
}

/** The scheduler of a control plane that has no second one. */
export function schedulerArgs(kubeconfig: string): readonly string[] {
  return ['--kubeconfig', kubeconfig, '--leader-elect=false', '--port=0', '--secure-port=0'];
}
