import type { Examples } from '../examples.ts';

/** Examples of the commands for plain Kubernetes, for images, and for many nodes at once. */
export const CLUSTER_EXAMPLES: Examples = {
  'keadm kube': [
    { does: 'Join this machine to a cluster', line: 'keadm kube join 10.0.0.5:6443 --token-file token.txt' },
    { does: 'Show the status of the worker', line: 'keadm kube status' },
  ],
  'keadm kube prepare': [
    { does: 'Install the kubelet', line: 'keadm kube prepare --version v1.33.1 --from https://dl.k8s.io' },
    {
      does: 'Print a script that does the same on a Windows machine',
      line: 'keadm kube prepare --version v1.33.1 --from https://dl.k8s.io --print-script powershell',
    },
  ],
  'keadm kube join': [
    {
      does: 'Join with a bootstrap token',
      line: 'keadm kube join 10.0.0.5:6443 --token-file token.txt --discovery-token-ca-cert-hash sha256:HASH',
    },
    {
      does: 'Install the kubelet and join, and wait up to 10 minutes for each step',
      line: 'keadm kube join --discovery-file cluster.conf --version v1.33.1 --from https://dl.k8s.io --wait 10m',
    },
  ],
  'keadm kube upgrade': [
    {
      does: 'Drain the node and upgrade its kubelet',
      line: 'keadm kube upgrade --version v1.34.0 --from https://dl.k8s.io --drain-limit 10m',
    },
  ],
  'keadm kube reset': [
    { does: 'Drain the node and remove the worker; asks for its name', line: 'keadm kube reset' },
    { does: 'Remove the worker although no cluster is reachable', line: 'keadm kube reset --no-drain --force' },
  ],
  'keadm kube status': [{ does: 'Show the status of the worker; exits 0 if healthy', line: 'keadm kube status' }],
  'keadm kube manifests': [
    { does: 'Print the manifests for Windows nodes', line: 'keadm kube manifests --kubeconfig admin.kubeconfig' },
    {
      does: 'Apply them to the cluster',
      line: 'keadm kube manifests --kubeconfig admin.kubeconfig --policies --apply',
    },
  ],
  'keadm image': [
    {
      does: 'Write a Packer project for a Windows Server image',
      line: 'keadm image init windows-2022 --os 2022 --for azure',
    },
  ],
  'keadm image init': [
    {
      does: 'Write a Packer project for a Kubernetes worker on Azure',
      line: 'keadm image init windows-2022 --os 2022 --for azure',
    },
  ],
  'keadm image validate': [{ does: 'Check a Packer project', line: 'keadm image validate windows-2022' }],
  'keadm image plan': [
    { does: 'Print the plan for a fresh Windows machine', line: 'keadm image plan --config image.yaml' },
  ],
  'keadm image provision': [
    { does: 'Print the plan only', line: 'keadm image provision --config image.yaml --dry-run' },
    { does: 'Install what the file describes', line: 'keadm image provision --config image.yaml' },
  ],
  'keadm image verify': [
    { does: 'Exit 0 if this machine matches the file', line: 'keadm image verify --config image.yaml' },
  ],
  'keadm capi': [{ does: 'Check user-data for mistakes', line: 'keadm capi lint user-data.ps1 --service azure' }],
  'keadm capi userdata': [
    {
      does: 'Make user-data from a KubeadmConfigTemplate',
      line: 'keadm capi userdata pool.yaml --service azure --token-file token.txt --to user-data.ps1',
    },
  ],
  'keadm capi lint': [
    { does: 'Check user-data for Azure', line: 'keadm capi lint user-data.ps1 --service azure' },
    { does: 'Check user-data from standard input', line: 'keadm capi lint -' },
  ],
  'keadm capi template': [
    { does: 'Print a pool description to start from', line: 'keadm capi template --example' },
    { does: 'Make the objects of a pool', line: 'keadm capi template pool.yaml --to objects.yaml' },
  ],
  'keadm batch': [
    { does: 'Print what would happen to each node', line: 'keadm batch plan -c batch.yaml' },
    { does: 'Run the batch file', line: 'keadm batch -c batch.yaml' },
  ],
  'keadm batch gen-config': [
    { does: 'Write a batch file to start from', line: 'keadm batch gen-config --to batch.yaml' },
  ],
  'keadm batch import': [
    {
      does: 'Make a batch file from an Ansible inventory',
      line: 'keadm batch import ansible inventory.ini --to batch.yaml',
    },
  ],
  'keadm batch validate': [{ does: 'Check a batch file', line: 'keadm batch validate -c batch.yaml' }],
  'keadm batch plan': [
    { does: 'Print what would happen to each node', line: 'keadm batch plan -c batch.yaml' },
    { does: 'The same for two nodes', line: 'keadm batch plan -c batch.yaml --only press-07,press-08' },
  ],
  'keadm batch run': [
    { does: 'Run the batch file on all nodes', line: 'keadm batch run -c batch.yaml' },
    { does: 'Run it on the nodes with one label', line: 'keadm batch run -c batch.yaml --select zone=north' },
  ],
  'keadm batch resume': [{ does: 'Continue the newest run', line: 'keadm batch resume' }],
  'keadm batch retry': [{ does: 'Run again on the nodes that failed', line: 'keadm batch retry' }],
  'keadm batch status': [
    { does: 'Show the newest run', line: 'keadm batch status' },
    { does: 'List all runs', line: 'keadm batch status --all' },
  ],
  'keadm batch report': [
    { does: 'Print a summary of the newest run', line: 'keadm batch report' },
    { does: 'Write the report as a web page', line: 'keadm batch report --format html --to report.html' },
  ],
  'keadm batch pause': [{ does: 'Pause the newest run', line: 'keadm batch pause' }],
  'keadm batch continue': [{ does: 'Continue a paused run', line: 'keadm batch continue' }],
  'keadm batch hold': [{ does: 'Stop the newest run after the commands in progress', line: 'keadm batch hold' }],
  'keadm batch abort': [{ does: 'Interrupt the newest run', line: 'keadm batch abort' }],
};
