import { parseArgs } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import type { FileStore, ServiceHost } from '@fenestra/platform';
import { agentProgram } from './agent.ts';

/** What edgecore is and where it runs: given by the executable that carries it. */
export interface EdgecoreEnvironment {
  readonly version: string;
  readonly now: () => Date;
  readonly files: FileStore;
  readonly serviceHost: ServiceHost;
}

/** Runs the agent until its service manager stops it; returns the exit code. */
export async function runEdgecore(args: readonly string[], environment: EdgecoreEnvironment): Promise<number> {
  const { stateFolder, service } = readFlags(args);
  const { version, now, files, serviceHost } = environment;
  return serviceHost.run(service, agentProgram({ stateFolder, files, version, now }));
}

function readFlags(args: readonly string[]): { stateFolder: string; service: string } {
  const { values } = parseFlags(args);
  if (values['state-folder'] !== undefined) return { stateFolder: values['state-folder'], service: values.service };
  throw new OperatorError('USAGE', 'Missing flag "--state-folder"', {
    hint: 'Give the folder the agent keeps its state in.',
  });
}

function parseFlags(args: readonly string[]) {
  try {
    const options = { 'state-folder': { type: 'string' }, service: { type: 'string', default: 'edgecore' } } as const;
    return parseArgs({ args: [...args], options, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError('USAGE', reason, { hint: 'The flags are --state-folder and --service.', cause });
  }
}
