import type { Examples } from '../examples.ts';

/** Examples of the commands for plain Kubernetes, for images, and for many nodes at once. */
export const CLUSTER_EXAMPLES: Examples = {
  'keadm kube': {
    'Join this machine to a cluster': 'keadm kube join 10.0.0.5:6443 --token-file token.txt',
    'Show the status of the worker': 'keadm kube status',
  },
  'keadm kube prepare': {
    'Install the kubelet': 'keadm kube prepare --version v1.33.1 --from https://dl.k8s.io',
    'Print a script that does the same on a Windows machine':
      'keadm kube prepare --version v1.33.1 --from https://dl.k8s.io --print-script powershell',
  },
  'keadm kube join': {
    'Join with a bootstrap token':
      'keadm kube join 10.0.0.5:6443 --token-file token.txt --discovery-token-ca-cert-hash sha256:HASH',
    'Install the kubelet and join, and wait up to 10 minutes for each step':
      'keadm kube join --discovery-file cluster.conf --version v1.33.1 --from https://dl.k8s.io --wait 10m',
  },
  'keadm kube upgrade': {
    'Drain the node and upgrade its kubelet':
      'keadm kube upgrade --version v1.34.0 --from https://dl.k8s.io --drain-limit 10m',
  },
  'keadm kube reset': {
    'Drain the node and remove the worker; asks for its name': 'keadm kube reset',
    'Remove the worker although no cluster is reachable': 'keadm kube reset --no-drain --force',
  },
  'keadm kube status': { 'Show the status of the worker; exits 0 if healthy': 'keadm kube status' },
  'keadm kube manifests': {
    'Print the manifests for Windows nodes': 'keadm kube manifests --kubeconfig admin.kubeconfig',
    'Apply them to the cluster': 'keadm kube manifests --kubeconfig admin.kubeconfig --policies --apply',
  },
  'keadm image': {
    'Write a Packer project for a Windows Server image': 'keadm image init windows-2022 --os 2022 --for azure',
  },
  'keadm image init': {
    'Write a Packer project for a Kubernetes worker on Azure': 'keadm image init windows-2022 --os 2022 --for azure',
  },
  'keadm image validate': { 'Check a Packer project': 'keadm image validate windows-2022' },
  'keadm image plan': { 'Print the plan for a fresh Windows machine': 'keadm image plan --config image.yaml' },
  'keadm image provision': {
    'Print the plan only': 'keadm image provision --config image.yaml --dry-run',
    'Install what the file describes': 'keadm image provision --config image.yaml',
  },
  'keadm image verify': { 'Exit 0 if this machine matches the file': 'keadm image verify --config image.yaml' },
  'keadm capi': { 'Check user-data for mistakes': 'keadm capi lint user-data.ps1 --service azure' },
  'keadm capi userdata': {
    'Make user-data from a KubeadmConfigTemplate':
      'keadm capi userdata pool.yaml --service azure --token-file token.txt --to user-data.ps1',
  },
  'keadm capi lint': {
    'Check user-data for Azure': 'keadm capi lint user-data.ps1 --service azure',
    'Check user-data from standard input': 'keadm capi lint -',
  },
  'keadm capi template': {
    'Print a pool description to start from': 'keadm capi template --example',
    'Make the objects of a pool': 'keadm capi template pool.yaml --to objects.yaml',
  },
  'keadm batch': {
    'Print what would happen to each node': 'keadm batch plan -c batch.yaml',
    'Run the batch file': 'keadm batch -c batch.yaml',
  },
  'keadm batch gen-config': { 'Write a batch file to start from': 'keadm batch gen-config --to batch.yaml' },
  'keadm batch import': {
    'Make a batch file from an Ansible inventory': 'keadm batch import ansible inventory.ini --to batch.yaml',
  },
  'keadm batch validate': { 'Check a batch file': 'keadm batch validate -c batch.yaml' },
  'keadm batch plan': {
    'Print what would happen to each node': 'keadm batch plan -c batch.yaml',
    'The same for two nodes': 'keadm batch plan -c batch.yaml --only press-07,press-08',
  },
  'keadm batch run': {
    'Run the batch file on all nodes': 'keadm batch run -c batch.yaml',
    'Run it on the nodes with one label': 'keadm batch run -c batch.yaml --select zone=north',
  },
  'keadm batch resume': { 'Continue the newest run': 'keadm batch resume' },
  'keadm batch retry': { 'Run again on the nodes that failed': 'keadm batch retry' },
  'keadm batch status': {
    'Show the newest run': 'keadm batch status',
    'List all runs': 'keadm batch status --all',
  },
  'keadm batch report': {
    'Print a summary of the newest run': 'keadm batch report',
    'Write the report as a web page': 'keadm batch report --format html --to report.html',
  },
  'keadm batch pause': { 'Pause the newest run': 'keadm batch pause' },
  'keadm batch continue': { 'Continue a paused run': 'keadm batch continue' },
  'keadm batch hold': { 'Stop the newest run after the commands in progress': 'keadm batch hold' },
  'keadm batch abort': { 'Interrupt the newest run': 'keadm batch abort' },
};
