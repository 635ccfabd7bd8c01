/** A file to begin with: every key, those that may be left out behind a `#`. */
export const EXAMPLE_NODE_POOL = `apiVersion: fenestra.dev/v1
kind: WindowsNodePool
# The MachineDeployment has this name, so no other cluster of the namespace has a pool of the same one.
# At most 3 letters keep names of machines as they are; more are cut to 15 letters.
name: win
cluster: my-cluster
# namespace: default
# azure, aws or vsphere; its settings are below.
provider: azure
replicas: 2
kubernetesVersion: v1.33.1
# The year of Windows Server: 2019, 2022 or 2025.
server: '2022'
# labels:
#   example.com/zone: north
# taints:
#   - key: os
#     value: windows
#     effect: NoSchedule
# dnsSuffix: corp.example
# sshKeys:
#   - ssh-ed25519 AAAA... me@example
# Run by cmd.exe, one after the other; the first that fails ends it.
# preCommands: []
# postCommands: []
# kubeletExtraArgs: {}

azure:
  vmSize: Standard_D4s_v3
#   imageId: /subscriptions/.../images/win
#   diskGiB: 128

# aws:
#   instanceType: m5.large
#   amiId: ami-0123456789abcdef0
#   iamInstanceProfile: nodes.cluster-api-provider-aws.sigs.k8s.io
#   sshKeyName: me
#   diskGiB: 128

# vsphere:
#   server: vcenter.example
#   datacenter: dc
#   datastore: ds
#   folder: nodes
#   resourcePool: '*/Resources'
#   network: VM Network
#   template: windows-2022
#   thumbprint: AA:BB
#   cpus: 4
#   memoryMiB: 8192
# As large as in the template if left out; linked clones, which are quicker, can be no larger.
#   diskGiB: 128

# kube-proxy and a network for pods; leave it out if they are installed otherwise.
network:
  # flannel-overlay, flannel-host-gateway or none
  plugin: flannel-overlay
  apiServer: my-cluster.example:6443
#   hnsNetwork: Calico
#   podSubnet: 10.244.0.0/16
#   serviceSubnet: 10.96.0.0/12
#   policies: true
`;
