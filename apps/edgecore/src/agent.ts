import { join } from 'node:path';
import { AGENT_STATUS_FILE, type AgentStatus } from '@fenestra/contracts';
import type { FileStore, ServiceProgram } from '@fenestra/platform';

/** What the agent is made with. */
export interface AgentOptions {
  readonly stateFolder: string;
  readonly files: FileStore;
  readonly version: string;
  readonly now: () => Date;
}

/** The node agent: for as long as it runs it says in its status file how it is. */
export function agentProgram({ stateFolder, files, version, now }: AgentOptions): ServiceProgram {
  const statusFile = join(stateFolder, AGENT_STATUS_FILE);
  const status = { version, pid: process.pid, startedAt: now().toISOString(), reloads: 0 };
  const publish = async (): Promise<void> =>
    files.replace(statusFile, `${JSON.stringify(status satisfies AgentStatus, undefined, 2)}\n`);
  return {
    async start() {
      await files.createFolder(stateFolder);
      await publish();
    },
    async reload() {
      status.reloads += 1;
      await publish();
    },
    stop: async () => files.removeTree(statusFile, stateFolder, new AbortController().signal),
  };
}
