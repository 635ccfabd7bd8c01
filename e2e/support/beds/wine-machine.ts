import { randomUUID } from 'node:crypto';
import { cleanEnvironment } from './clean-environment.ts';
import { type CommandOptions, type CommandResult, commandFailed } from './command.ts';
import type { NodeRoot } from './node-root.ts';
import { WINESERVER, wineEnvironment } from './wine-base.ts';

/** The switch and the keyboard of a Windows node. */
export interface WineMachine {
  /** Runs a Windows program. */
  wine(argv: readonly string[], options: CommandOptions): Promise<CommandResult>;
  /** Starts Wine's server and, with the first program, the services that start by themselves. */
  switchOn(): Promise<void>;
  /** Ends Wine's server, which saves the registry, and all that still runs. Services are not notified: Wine never does that. */
  switchOff(): Promise<void>;
  /** Gives this copy of the template its own identity. */
  takeIdentity(): Promise<void>;
}

/** The stdio shim's path in the node's root, preloaded into every Node.js program. */
export const STDIO_SHIM = '/stdio-shim.cjs';

const SWITCH_MS = 60_000;

/** Operates Wine in the given root, which has its mounts already. */
export function wineMachine(root: NodeRoot, signal: AbortSignal): WineMachine {
  const run = async (argv: readonly string[], options: CommandOptions): Promise<CommandResult> => {
    const env = { ...wineEnvironment(), NODE_OPTIONS: `-r Z:${STDIO_SHIM}`, ...options.env };
    const inside = ['chroot', root.folder, ...cleanEnvironment(env), ...argv];
    return root.cage.run(inside, { ...options, env: {}, label: argv.join(' ') }, signal);
  };
  const mustWork = async (...argv: readonly string[]): Promise<void> => {
    const result = await run(argv, { timeoutMs: SWITCH_MS, quiet: true });
    if (result.exitCode !== 0) throw commandFailed(argv.join(' '), result);
  };
  return {
    wine: async (argv, options) => run(['wine', ...argv], options),
    async switchOn() {
      // Persistent: otherwise it ends a few seconds after the last program, and all services with it.
      await mustWork(WINESERVER, '-p');
      await mustWork('wine', 'cmd', '/c', 'exit');
    },
    async switchOff() {
      // Fails when there is no server any more, which is what is wanted.
      await run([WINESERVER, '-k'], { timeoutMs: SWITCH_MS });
      await mustWork(WINESERVER, '-w');
      await root.cage.killAll();
    },
    async takeIdentity() {
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
      await mustWork('wine', 'reg', 'add', key, '/v', 'MachineGuid', '/d', randomUUID(), '/f');
    },
  };
}
