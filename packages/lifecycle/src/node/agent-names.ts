import { basename } from 'node:path';

/** What an agent's program is called; older Windows nodes of upstream's run it by way of NSSM. */
const AGENT_NAMES: readonly string[] = ['edgecore', 'edgecore.exe', 'nssm.exe'];

/** Whether a program looks like an agent, ours or upstream's, wherever it is. */
export function isAgentName(program: string): boolean {
  return AGENT_NAMES.includes(basename(program));
}
