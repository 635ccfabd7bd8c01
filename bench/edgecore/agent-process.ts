import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An agent that was connected. */
export interface AgentProcess {
  /** From the start of the process until its log said that it is connected. */
  readonly connectedAfterMs: number;
  /** Stops it as a service manager does. */
  stop(): Promise<void>;
}

const CONNECT_LIMIT_MS = 30_000;
const POLL_MS = 2;

/** Starts the agent that `keadm join` installed below a folder, and waits until it is connected. */
export async function startAgent(root: string): Promise<AgentProcess> {
  const logFile = join(root, 'bench.log');
  rmSync(logFile, { force: true });
  const started = performance.now();
  const args = ['--config', join(root, 'etc/kubeedge/config/edgecore.yaml'), '--log-file', logFile];
  const child = spawn(join(root, 'usr/local/bin/edgecore'), args, { stdio: 'ignore' });
  while (!isConnected(logFile)) {
    if (child.exitCode !== null || performance.now() - started > CONNECT_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error('The agent did not connect in time');
    }
    await sleep(POLL_MS);
  }
  return {
    connectedAfterMs: performance.now() - started,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function isConnected(logFile: string): boolean {
  try {
    return readFileSync(logFile, 'utf8').includes('Connected to the cloud');
  } catch {
    return false;
  }
}
