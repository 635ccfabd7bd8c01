import type { Examples } from '../examples.ts';

/** Examples of the commands that make a cloud, and that join, change and remove a node. */
export const NODE_EXAMPLES: Examples = {
  keadm: [
    { does: 'On the cloud machine', line: 'keadm init --embedded' },
    { does: 'On each node', line: 'keadm join --cloudcore-ip 10.0.0.5 --token-file token.txt' },
  ],
  'keadm doctor': [
    { does: 'Check this machine before you join it', line: 'keadm doctor' },
    { does: 'The same, as JSON for a script', line: 'keadm doctor --output json' },
  ],
  'keadm init': [
    { does: 'Run the cloud with its own embedded Kubernetes API', line: 'keadm init --embedded' },
    { does: 'Run the cloud for an existing cluster', line: 'keadm init --kubeconfig admin.kubeconfig' },
  ],
  'keadm gettoken': [
    { does: 'Print the token for any number of nodes', line: 'keadm gettoken' },
    { does: 'Print a token for one node, valid for one hour and one use', line: 'keadm gettoken --node press-07' },
  ],
  'keadm node': [
    { does: 'List the nodes', line: 'keadm node list' },
    { does: 'Block a stolen machine', line: 'keadm node revoke press-07 --reason stolen' },
  ],
  'keadm node list': [
    { does: 'List all nodes', line: 'keadm node list' },
    { does: 'List revoked nodes only', line: 'keadm node list --revoked' },
  ],
  'keadm node revoke': [
    { does: 'Block a stolen machine and close its connection', line: 'keadm node revoke press-07 --reason stolen' },
  ],
  'keadm node admit': [
    { does: 'Print a token with which a revoked node can join again', line: 'keadm node admit press-07' },
  ],
  'keadm join': [
    {
      does: 'Join with the token in a file',
      line: 'keadm join --cloudcore-ip 10.0.0.5 --token-file token.txt --labels zone=north',
    },
    { does: 'Print the plan only', line: 'keadm join --cloudcore-ip 10.0.0.5 --token-file token.txt --dry-run' },
  ],
  'keadm backup': [
    { does: 'Back up this node to a folder', line: 'keadm backup --dir /mnt/backups' },
    { does: 'List the backups in that folder', line: 'keadm backup list --dir /mnt/backups' },
  ],
  'keadm backup edge': [
    {
      does: 'Back up this node to an encrypted archive',
      line: 'keadm backup edge --dir /mnt/backups --passphrase-file passphrase.txt',
    },
  ],
  'keadm backup list': [
    { does: 'List the versions that upgrades kept on this machine', line: 'keadm backup list' },
    { does: 'List the archives in a folder as well', line: 'keadm backup list --dir /mnt/backups' },
  ],
  'keadm restore': [
    { does: 'Restore the newest archive of this machine', line: 'keadm restore --dir /mnt/backups' },
    { does: 'Print the plan only', line: 'keadm restore --dir /mnt/backups --dry-run' },
  ],
  'keadm reset': [
    { does: 'Remove the node; asks for its name', line: 'keadm reset' },
    {
      does: 'Drain and delete the node in the cluster first, and do not ask',
      line: 'keadm reset --kubeconfig admin.kubeconfig --drain-limit 10m --force',
    },
  ],
  'keadm upgrade': [
    { does: 'Upgrade to the version of this keadm', line: 'keadm upgrade' },
    {
      does: 'Upgrade to one version from a release folder',
      line: 'keadm upgrade --from /mnt/release --version v0.2.0 --settle 1m',
    },
  ],
  'keadm rollback': [
    { does: 'Return to the version that the last upgrade replaced', line: 'keadm rollback' },
    { does: 'Return to one version, with the present configuration', line: 'keadm rollback v0.1.0 --keep-config' },
  ],
};
