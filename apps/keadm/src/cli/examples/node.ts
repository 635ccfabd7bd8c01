import type { Examples } from '../examples.ts';

/** Examples of the commands that make a cloud, and that join, change and remove a node. */
export const NODE_EXAMPLES: Examples = {
  keadm: {
    'On the cloud machine': 'keadm init --embedded',
    'On each node': 'keadm join --cloudcore-ip 10.0.0.5 --token-file token.txt',
  },
  'keadm doctor': {
    'Check this machine before you join it': 'keadm doctor',
    'The same, as JSON for a script': 'keadm doctor --output json',
  },
  'keadm init': {
    'Run the cloud with its own embedded Kubernetes API': 'keadm init --embedded',
    'Run the cloud for an existing cluster': 'keadm init --kubeconfig admin.kubeconfig',
  },
  'keadm gettoken': {
    'Print the token for any number of nodes': 'keadm gettoken',
    'Print a token for one node, valid for one hour and one use': 'keadm gettoken --node press-07',
  },
  'keadm node': {
    'List the nodes': 'keadm node list',
    'Block a stolen machine': 'keadm node revoke press-07 --reason stolen',
  },
  'keadm node list': {
    'List all nodes': 'keadm node list',
    'List revoked nodes only': 'keadm node list --revoked',
  },
  'keadm node revoke': {
    'Block a stolen machine and close its connection': 'keadm node revoke press-07 --reason stolen',
  },
  'keadm node admit': { 'Print a token with which a revoked node can join again': 'keadm node admit press-07' },
  'keadm join': {
    'Join with the token in a file': 'keadm join --cloudcore-ip 10.0.0.5 --token-file token.txt --labels zone=north',
    'Print the plan only': 'keadm join --cloudcore-ip 10.0.0.5 --token-file token.txt --dry-run',
  },
  'keadm backup': {
    'Back up this node to a folder': 'keadm backup --dir /mnt/backups',
    'List the backups in that folder': 'keadm backup list --dir /mnt/backups',
  },
  'keadm backup edge': {
    'Back up this node to an encrypted archive':
      'keadm backup edge --dir /mnt/backups --passphrase-file passphrase.txt',
  },
  'keadm backup list': {
    'List the versions that upgrades kept on this machine': 'keadm backup list',
    'List the archives in a folder as well': 'keadm backup list --dir /mnt/backups',
  },
  'keadm restore': {
    'Restore the newest archive of this machine': 'keadm restore --dir /mnt/backups',
    'Print the plan only': 'keadm restore --dir /mnt/backups --dry-run',
  },
  'keadm reset': {
    'Remove the node; asks for its name': 'keadm reset',
    'Drain and delete the node in the cluster first, and do not ask':
      'keadm reset --kubeconfig admin.kubeconfig --drain-limit 10m --force',
  },
  'keadm upgrade': {
    'Upgrade to the version of this keadm': 'keadm upgrade',
    'Upgrade to one version from a release folder': 'keadm upgrade --from /mnt/release --version v0.2.0 --settle 1m',
  },
  'keadm rollback': {
    'Return to the version that the last upgrade replaced': 'keadm rollback',
    'Return to one version, with the present configuration': 'keadm rollback v0.1.0 --keep-config',
  },
};
