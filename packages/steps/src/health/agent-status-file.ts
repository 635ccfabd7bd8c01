import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_STATUS_FILE, AgentStatus } from '@fenestra/contracts';
import { fileError, systemCodeOf } from '@fenestra/kernel';

/** Reads what the agent last wrote about itself; `undefined` where there is nothing to read. Throws if it may not be read. */
export async function readAgentStatus(stateFolder: string): Promise<AgentStatus | undefined> {
  const text = await readFile(join(stateFolder, AGENT_STATUS_FILE), 'utf8').catch((cause: unknown) => {
    if (['EACCES', 'EPERM'].includes(systemCodeOf(cause)))
      throw fileError(cause, `read the status of the agent in "${stateFolder}"`);
    return undefined;
  });
  return text === undefined ? undefined : parseStatus(text);
}

/** An agent of another version may say more or less than we know of; then it has said nothing. */
function parseStatus(text: string): AgentStatus | undefined {
  try {
    return AgentStatus.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
