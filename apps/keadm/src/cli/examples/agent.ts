import type { Examples } from '../examples.ts';

/** Examples of the commands that configure, watch and repair the programs on this machine. */
export const AGENT_EXAMPLES: Examples = {
  'keadm config': [
    { does: 'Show the settings in use', line: 'keadm config view' },
    { does: 'Change one setting', line: 'keadm config set modules.edgeHub.heartbeat=20' },
  ],
  'keadm config view': [
    { does: 'Show the settings in the file', line: 'keadm config view' },
    { does: 'Show every setting, defaults included', line: 'keadm config view --defaults' },
  ],
  'keadm config validate': [
    { does: 'Check the configuration of this node', line: 'keadm config validate' },
    { does: 'Check a file', line: 'keadm config validate edgecore.yaml' },
  ],
  'keadm config diff': [
    { does: 'Show what a new configuration would change', line: 'keadm config diff edgecore.yaml' },
  ],
  'keadm config set': [
    { does: 'Send a heartbeat every 20 seconds', line: 'keadm config set modules.edgeHub.heartbeat=20' },
  ],
  'keadm config apply': [
    { does: 'Replace the configuration', line: 'keadm config apply edgecore.yaml' },
    { does: 'Print the plan only', line: 'keadm config apply edgecore.yaml --dry-run' },
  ],
  'keadm config-update': [
    { does: 'Send a heartbeat every 20 seconds', line: 'keadm config-update --set modules.edgeHub.heartbeat=20' },
  ],
  'keadm status': [
    { does: 'Show the status of this node; exits 0 if healthy', line: 'keadm status' },
    { does: 'The same, as JSON for a script', line: 'keadm status --output json' },
  ],
  'keadm history': [{ does: 'Show the last ten operations on this node', line: 'keadm history --limit 10' }],
  'keadm logs': [
    { does: 'Show new log lines until you press Ctrl-C', line: 'keadm logs --follow' },
    { does: 'Show the log of the last ten minutes', line: 'keadm logs --since 10m' },
  ],
  'keadm cloud': [{ does: 'Restart the cloud', line: 'keadm cloud restart' }],
  'keadm cloud start': [{ does: 'Start the cloud', line: 'keadm cloud start' }],
  'keadm cloud stop': [{ does: 'Stop the cloud', line: 'keadm cloud stop' }],
  'keadm cloud restart': [{ does: 'Restart the cloud', line: 'keadm cloud restart' }],
  'keadm cloud reload': [{ does: 'Reload the configuration of the cloud', line: 'keadm cloud reload' }],
  'keadm service': [
    { does: 'Show whether the node agent is running', line: 'keadm service status' },
    { does: 'Restart the node agent', line: 'keadm service restart' },
  ],
  'keadm service install': [
    { does: 'Print the plan only', line: 'keadm service install --dry-run' },
    { does: 'Install and start the node agent', line: 'keadm service install' },
  ],
  'keadm service status': [{ does: 'Exit 0 if the node agent is running', line: 'keadm service status' }],
  'keadm service start': [{ does: 'Start the node agent', line: 'keadm service start' }],
  'keadm service stop': [{ does: 'Stop the node agent', line: 'keadm service stop' }],
  'keadm service restart': [{ does: 'Restart the node agent', line: 'keadm service restart' }],
  'keadm service reload': [{ does: 'Reload the configuration of the node agent', line: 'keadm service reload' }],
  'keadm service remove': [{ does: 'Remove the service, keep configuration and state', line: 'keadm service remove' }],
  'keadm recover': [
    { does: 'Show what an interrupted operation left behind', line: 'keadm recover --dry-run' },
    { does: 'Finish it or undo it', line: 'keadm recover' },
  ],
  'keadm journal': [{ does: 'Show the newest journal', line: 'keadm journal show' }],
  'keadm journal list': [{ does: 'List all journals', line: 'keadm journal list' }],
  'keadm journal show': [
    { does: 'Show the newest journal', line: 'keadm journal show' },
    { does: 'Show one journal', line: 'keadm journal show 20260131T080000Z-join.ndjson' },
  ],
  'keadm journal set-aside': [
    { does: 'Rename a damaged journal', line: 'keadm journal set-aside 20260131T080000Z-join.ndjson' },
  ],
  'keadm completion': [
    { does: 'Load completion into a running bash', line: 'source <(keadm completion bash)' },
    {
      does: 'Load completion into a running PowerShell',
      line: 'keadm completion powershell | Out-String | Invoke-Expression',
    },
  ],
  'keadm version': [{ does: 'Print version and commit', line: 'keadm version' }],
};
