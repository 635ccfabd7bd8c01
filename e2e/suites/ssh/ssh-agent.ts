import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from '../../support/beds/command.ts';
import { killNow } from '../../support/beds/process-tree.ts';

/** What an agent is started with. */
export interface AgentOptions {
  readonly socket: string;
  readonly key: string;
  /** What talks to the FIDO device of the key. */
  readonly provider?: string;
}

/** Starts OpenSSH's agent with one key. */
export async function startAgent(
  { socket, key, provider }: AgentOptions,
  signal: AbortSignal,
): Promise<{ stop(): void }> {
  const allowed = provider === undefined ? [] : ['-P', provider];
  const child = spawn('ssh-agent', ['-D', '-a', socket, ...allowed], { stdio: 'ignore' });
  await once(child, 'spawn');
  const add = ['ssh-add', ...(provider === undefined ? [] : ['-S', provider]), key];
  while ((await runCommand(add, { env: { SSH_AUTH_SOCK: socket } }, signal)).exitCode !== 0) await delay(50);
  return {
    stop() {
      if (child.pid !== undefined) killNow(child.pid);
    },
  };
}
