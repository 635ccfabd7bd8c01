import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_STATUS_FILE, AgentStatus } from '@fenestra/contracts';
import { type FarEndFacts } from './messages.ts';
import { parseJson } from '@fenestra/kernel';
import type { Host, NodeLayout, ServiceManager } from '@fenestra/platform';

/** What the facts of a machine are read with. */
export interface FactPorts {
  readonly host: Pick<Host, 'facts' | 'disk'>;
  readonly layout: NodeLayout;
  readonly services: Pick<ServiceManager, 'status'>;
  /** The agent's name in the service manager. */
  readonly agentService: string;
}

/** What this machine is and what its node is like. Reads only. */
export async function gatherFacts({ host, layout, services, agentService }: FactPorts): Promise<FarEndFacts> {
  const { os, arch, clock, elevated } = await host.facts();
  const config = await textOf(layout.agentConfigFile);
  const version = (await textOf(layout.versionFile))?.trim();
  const status = AgentStatus.safeParse(parseJson((await textOf(join(layout.stateFolder, AGENT_STATUS_FILE))) ?? ''));
  return {
    os,
    arch,
    clock: clock.now.getTime() / 1000,
    elevated,
    ...(version === undefined || version === '' ? {} : { version }),
    configured: config !== undefined,
    running: (await services.status(agentService)).state === 'running',
    ...(status.success ? { status: status.data } : {}),
    servers: serversIn(config ?? ''),
    freeBytes: (await host.disk(layout.bookkeepingFolder)).freeBytes,
  };
}

/** The addresses that a configuration names, found without reading it in whole: it may be one we cannot read. */
function serversIn(config: string): string[] {
  return [...config.matchAll(/^\s*(?:server|httpServer):\s*["']?([^\s"'#]+)/gm)].map(([, server = '']) => server);
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
