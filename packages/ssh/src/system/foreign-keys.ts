import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isFidoKeyFile, isFidoType } from './fido-key.ts';
import { sshEnvironment } from './run-ssh.ts';

const ANSWER_MS = 5000;
const run = promisify(execFile);

/** Finds keys that the library cannot use and the system's ssh can. */
export interface ForeignKeys {
  inFile(path: string): Promise<boolean>;
  /** Asks the agent each time, since what it holds changes. */
  inAgent(socket: string): Promise<boolean>;
}

/** Looks into each file once. */
export function foreignKeys(): ForeignKeys {
  const files = new Map<string, Promise<boolean>>();
  return {
    async inFile(path) {
      const found = files.get(path) ?? isFidoKeyFile(path);
      files.set(path, found);
      return found;
    },
    inAgent: async (socket) => (await agentTypes(socket)).some(isForeignType),
  };
}

/** Whether the library does not know this type of key, as `ssh-add -L` names it. */
export function isForeignType(type: string): boolean {
  return isFidoType(type) || type.endsWith('-cert-v01@openssh.com');
}

/** An agent that cannot be asked holds nothing. */
async function agentTypes(socket: string): Promise<readonly string[]> {
  const limits = { env: sshEnvironment({ SSH_AUTH_SOCK: socket }), timeout: ANSWER_MS };
  const printed = await run('ssh-add', ['-L'], limits).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return printed.split('\n').map((line) => line.split(' ', 1)[0] ?? '');
}
