import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { NodeMemory } from '../meta/node-memory.ts';
import type { AgentModule, ModuleContext, ModuleDefinition } from '../modules/agent-module.ts';
import { handleRequest } from './handle-request.ts';

/** What the module is made with. */
export interface MetaServerOptions {
  readonly memory: NodeMemory;
  /** Answered to `/version`. */
  readonly kubeletVersion: string;
}

interface Settings {
  readonly server: string;
  readonly requiresAuthorization: boolean;
}

const CONNECTION_LIMIT = 256;

/** Module `metaServer`: what this node has, read-only and in the form of the Kubernetes API, for programs on this machine. */
export function metaServerModule(options: MetaServerOptions): ModuleDefinition {
  return {
    name: 'metaServer',
    enabled: ({ modules }) => modules.metaManager.enable && modules.metaManager.metaServer.enable,
    part: settingsOf,
    create: (config, context) => createMetaServer(options, settingsOf(config), context),
  };
}

function settingsOf({ modules, featureGates }: EdgecoreConfig): Settings {
  const requiresAuthorization = featureGates['requireAuthorization'] === true;
  return { server: modules.metaManager.metaServer.server, requiresAuthorization };
}

function createMetaServer(options: MetaServerOptions, settings: Settings, context: ModuleContext): AgentModule {
  const server = createServer((request, response) => handleRequest(options, request, response));
  server.maxConnections = CONNECTION_LIMIT;
  return {
    name: 'metaServer',
    async start() {
      if (settings.requiresAuthorization) return context.log.error(NO_AUTHORIZATION);
      await listen(server, settings.server);
      server.on('error', (cause) => context.fail(cause));
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    health: () =>
      settings.requiresAuthorization ? { state: 'failed', reason: NO_AUTHORIZATION } : { state: 'healthy' },
  };
}

/** To serve everybody after authorization was asked for would be worse than to serve no one. */
const NO_AUTHORIZATION = 'The local API does not listen: it does not support feature gate "requireAuthorization"';

async function listen(server: Server, address: string): Promise<void> {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  try {
    server.listen(Number(address.slice(colon + 1)), host);
    await once(server, 'listening');
  } catch (cause) {
    throw new OperatorError('SERVICE_CONFLICT', `Cannot listen on "${address}" (${systemCodeOf(cause)})`, {
      hint: 'Stop the program that uses the address, or change "modules.metaManager.metaServer.server".',
      cause,
    });
  }
}
