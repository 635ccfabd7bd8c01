import type { Examples } from '../examples.ts';

/** Examples of the commands that configure, watch and repair the programs on this machine. */
export const AGENT_EXAMPLES: Examples = {
  'keadm config': {
    'Show the settings in use': 'keadm config view',
    'Change one setting': 'keadm config set modules.edgeHub.heartbeat=20',
  },
  'keadm config view': {
    'Show the settings in the file': 'keadm config view',
    'Show every setting, defaults included': 'keadm config view --defaults',
  },
  'keadm config validate': {
    'Check the configuration of this node': 'keadm config validate',
    'Check a file': 'keadm config validate edgecore.yaml',
  },
  'keadm config diff': { 'Show what a new configuration would change': 'keadm config diff edgecore.yaml' },
  'keadm config set': { 'Send a heartbeat every 20 seconds': 'keadm config set modules.edgeHub.heartbeat=20' },
  'keadm config apply': {
    'Replace the configuration': 'keadm config apply edgecore.yaml',
    'Print the plan only': 'keadm config apply edgecore.yaml --dry-run',
  },
  'keadm config-update': {
    'Send a heartbeat every 20 seconds': 'keadm config-update --set modules.edgeHub.heartbeat=20',
  },
  'keadm status': {
    'Show the status of this node; exits 0 if healthy': 'keadm status',
    'The same, as JSON for a script': 'keadm status --output json',
  },
  'keadm history': { 'Show the last ten operations on this node': 'keadm history --limit 10' },
  'keadm logs': {
    'Show new log lines until you press Ctrl-C': 'keadm logs --follow',
    'Show the log of the last ten minutes': 'keadm logs --since 10m',
  },
  'keadm pod': {
    'List the pods of this node': 'keadm pod list',
    'Show the last 20 lines of a container and follow it': 'keadm pod logs web --tail 20 --follow',
  },
  'keadm pod list': { 'List the pods of this node': 'keadm pod list' },
  'keadm pod describe': { 'Show why a pod does not run': 'keadm pod describe shop/web' },
  'keadm pod logs': {
    'Show the last 20 lines of a container and follow it': 'keadm pod logs web --tail 20 --follow',
    'Show how the instance before ended': 'keadm pod logs web --container main --previous --tail 50',
  },
  'keadm pod exec': {
    'Open a shell in a container': 'keadm pod exec web --stdin --tty -- sh',
    'Run a command': 'keadm pod exec shop/web --container main -- cat /etc/hostname',
  },
  'keadm pod restart': {
    'Restart all containers of a pod': 'keadm pod restart shop/web',
    'Print the plan only': 'keadm pod restart web --container main --dry-run',
  },
  'keadm cloud': { 'Restart the cloud': 'keadm cloud restart' },
  'keadm cloud start': { 'Start the cloud': 'keadm cloud start' },
  'keadm cloud stop': { 'Stop the cloud': 'keadm cloud stop' },
  'keadm cloud restart': { 'Restart the cloud': 'keadm cloud restart' },
  'keadm cloud reload': { 'Reload the configuration of the cloud': 'keadm cloud reload' },
  'keadm service': {
    'Show whether the node agent is running': 'keadm service status',
    'Restart the node agent': 'keadm service restart',
  },
  'keadm service install': {
    'Print the plan only': 'keadm service install --dry-run',
    'Install and start the node agent': 'keadm service install',
  },
  'keadm service status': { 'Exit 0 if the node agent is running': 'keadm service status' },
  'keadm service start': { 'Start the node agent': 'keadm service start' },
  'keadm service stop': { 'Stop the node agent': 'keadm service stop' },
  'keadm service restart': { 'Restart the node agent': 'keadm service restart' },
  'keadm service reload': { 'Reload the configuration of the node agent': 'keadm service reload' },
  'keadm service remove': { 'Remove the service, keep configuration and state': 'keadm service remove' },
  'keadm recover': {
    'Show what an interrupted operation left behind': 'keadm recover --dry-run',
    'Finish it or undo it': 'keadm recover',
  },
  'keadm journal': { 'Show the newest journal': 'keadm journal show' },
  'keadm journal list': { 'List all journals': 'keadm journal list' },
  'keadm journal show': {
    'Show the newest journal': 'keadm journal show',
    'Show one journal': 'keadm journal show 20260131T080000Z-join.ndjson',
  },
  'keadm journal set-aside': { 'Rename a damaged journal': 'keadm journal set-aside 20260131T080000Z-join.ndjson' },
  'keadm completion': {
    'Load completion into a running bash': 'source <(keadm completion bash)',
    'Load completion into a running PowerShell': 'keadm completion powershell | Out-String | Invoke-Expression',
  },
  'keadm version': { 'Print version and commit': 'keadm version' },
};
