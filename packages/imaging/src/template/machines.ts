import type { NodePoolConfig, PoolProvider } from './node-pool-config.ts';

/** The pool itself: how many machines there are, and what they are made of. */
export function machineDeployment(config: NodePoolConfig): PoolObject {
  const { cluster, replicas = 1, kubernetesVersion } = config;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineDeployment',
    // Names of machines begin with it, so it is as short as can be.
    metadata: { ...metadata(config), name: config.name, labels: { 'cluster.x-k8s.io/cluster-name': cluster } },
    spec: {
      clusterName: cluster,
      replicas,
      selector: { matchLabels: null },
      template: {
        metadata: { labels: { 'node.cluster.x-k8s.io/pool': config.name } },
        spec: {
          clusterName: cluster,
          version: kubernetesVersion,
          bootstrap: { configRef: { ...BOOTSTRAP, name: poolName(config) } },
          infrastructureRef: { ...INFRASTRUCTURE[config.provider], name: poolName(config) },
        },
      },
    },
  };
}

const SERVER = '2022';
const DISK_GIB = 128;

/** What machines of the pool are, as the provider of infrastructure wants to know it. */
export function machineTemplate(config: NodePoolConfig): PoolObject {
  return {
    ...INFRASTRUCTURE[config.provider],
    metadata: metadata(config),
    spec: { template: { ...annotations(config), spec: machineOf(config) } },
  };
}

/** Azure's provider finds its own image by these. */
function annotations({ provider, server = SERVER }: NodePoolConfig): PoolObject {
  if (provider !== 'azure') return {};
  return { metadata: { annotations: { runtime: 'containerd', windowsServerVersion: `windows-${server}` } } };
}

function machineOf(config: NodePoolConfig): PoolObject {
  const { azure, aws, vsphere } = config;
  if (azure !== undefined) return azureMachine(azure);
  if (aws !== undefined) return awsMachine(aws);
  if (vsphere !== undefined) return vsphereMachine(vsphere);
  throw new Error('The settings of the provider were checked before');
}

function azureMachine({ vmSize, imageId, diskGiB = DISK_GIB }: NonNullable<NodePoolConfig['azure']>): PoolObject {
  return {
    vmSize,
    osDisk: { osType: 'Windows', diskSizeGB: diskGiB, managedDisk: { storageAccountType: 'Premium_LRS' } },
    ...(imageId === undefined ? {} : { image: { id: imageId } }),
    // It is for Linux only; keys of Windows come with the users.
    sshPublicKey: '',
  };
}

function awsMachine(machine: NonNullable<NodePoolConfig['aws']>): PoolObject {
  const { instanceType, amiId, iamInstanceProfile, sshKeyName, diskGiB = DISK_GIB } = machine;
  return {
    instanceType,
    ami: { id: amiId },
    ...(iamInstanceProfile === undefined ? {} : { iamInstanceProfile }),
    // Left out, it would be a key called "default", or the cluster's, whose type Windows may not take.
    sshKeyName: sshKeyName ?? '',
    rootVolume: { size: diskGiB },
    // Otherwise the document is hidden in parts that cloudbase-init drops.
    cloudInit: { insecureSkipSecretsManager: true },
  };
}

function vsphereMachine(machine: NonNullable<NodePoolConfig['vsphere']>): PoolObject {
  const { server, datacenter, datastore, network, template, cpus = 4, memoryMiB = 8192, diskGiB } = machine;
  const { folder, resourcePool, thumbprint } = machine;
  return {
    // With it the provider keeps names of machines within 15 letters.
    os: 'Windows',
    // A linked clone keeps the disk of its template, whatever size is asked for.
    ...(diskGiB === undefined ? { cloneMode: 'linkedClone' } : { cloneMode: 'fullClone', diskGiB }),
    server,
    datacenter,
    datastore,
    ...(folder === undefined ? {} : { folder }),
    ...(resourcePool === undefined ? {} : { resourcePool }),
    ...(thumbprint === undefined ? {} : { thumbprint }),
    template,
    numCPUs: cpus,
    memoryMiB,
    network: { devices: [{ dhcp4: true, networkName: network }] },
  };
}

/** A Kubernetes object that Cluster API reads. */
export type PoolObject = Readonly<Record<string, unknown>>;

/** The name that the objects of a pool share. */
export function poolName({ cluster, name }: NodePoolConfig): string {
  return `${cluster}-${name}`;
}

/** Where an object is, and what it is called. */
export function metadata(config: NodePoolConfig): Readonly<Record<string, unknown>> {
  return { name: poolName(config), namespace: config.namespace ?? 'default' };
}

const INFRASTRUCTURE: Readonly<Record<PoolProvider, { readonly apiVersion: string; readonly kind: string }>> = {
  azure: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'AzureMachineTemplate' },
  aws: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate' },
  vsphere: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'VSphereMachineTemplate' },
};

/** The version of Cluster API's own objects. */
export const BOOTSTRAP = { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta1', kind: 'KubeadmConfigTemplate' };
