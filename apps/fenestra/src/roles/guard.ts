import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPlatform } from '#platform';
import { jsonLogger, type Logger } from '@fenestra/platform';
import { GUARD_SERVICE, guardProgram, type StepPorts } from '@fenestra/session';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { BuildInfo } from '../build-info.ts';
import { orReport } from '../terminal.ts';

/** Plays the guard of a node that is being changed. */
export async function play(args: readonly string[], { version }: BuildInfo): Promise<number> {
  return orReport(async () => {
    const { root } = parseArgs({ args: [...args], options: { root: { type: 'string' } } }).values;
    const { host, layout, workerFacts, serviceHost, ...platform } = await openPlatform(root);
    const { files, access, services, firewall, networks, setup } = platform;
    const session = {
      host,
      layout,
      workerFacts,
      ports: {
        host,
        files,
        access,
        services,
        secrets: new Map<string, string>(),
        firewall,
        networks,
        setup,
        ...clients,
      },
      handlers: STEP_HANDLERS,
      programVersion: version,
      executable: process.execPath,
      root,
      now: () => new Date(),
      onEvent: () => {},
    };
    return serviceHost.run(GUARD_SERVICE, guardProgram(session, guardLog(dirname(layout.guardExecutable))));
  });
}

/** A worker that is brought back may have to be uncordoned in its cluster. The clients are large, so they are loaded then. */
const clients: Pick<StepPorts, 'openCloud' | 'openCluster'> = {
  openCloud: async (kubeconfig) => (await import('../cloud-tools.ts')).openNodeCloud(kubeconfig),
  openCluster: async (access) => (await import('../cloud-tools.ts')).openWorkerCluster(access),
};

/** It says something only when it had to act, so its log never grows large. */
function guardLog(folder: string): Logger {
  const write = (line: string): void => {
    try {
      appendFileSync(join(folder, 'guard.log'), line, { mode: 0o600 });
    } catch {
      // Bringing the node back matters more than telling of it.
    }
  };
  return jsonLogger(write, 'info', () => new Date());
}
