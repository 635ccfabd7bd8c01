import { Agent as HttpAgent, type AgentOptions as HttpAgentOptions } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { invalid } from './kubeconfig.ts';

/** How to send a request: who we are, and over which connections. */
export interface Access {
  readonly options: RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
  /** For requests: connections are kept and shared, and only so many are open at once. */
  readonly requests: HttpAgent;
  /** For watches, which each hold a connection for minutes. */
  readonly watches: HttpAgent;
}

/** Credentials that are read again now and then, because tokens and certificates are replaced under way. */
export interface AccessKeeper {
  current(): Promise<Access>;
  close(): void;
}

const REFRESH_MS = 15_000;
const IDLE_MS = 60_000;
const MAX_CONNECTIONS = 32;

/** Keeps the access to one cluster. The client library would make new connections for every single request. */
export function keepAccess(config: KubeConfig): AccessKeeper {
  let known: { readonly access: Access; readonly identity: string; readonly at: number } | undefined;
  const agents = new Set<HttpAgent>();
  return {
    async current() {
      if (known !== undefined && performance.now() - known.at < REFRESH_MS) return known.access;
      const options = await readOptions(config);
      const identity = identityOf(options);
      const agentsOf = known?.identity === identity ? known.access : connect(config, options);
      const access = { ...agentsOf, options, headers: headersOf(options) };
      agents.add(access.requests).add(access.watches);
      known = { access, identity, at: performance.now() };
      return access;
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

async function readOptions(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch {
    throw invalid('its credentials cannot be read');
  }
  return options;
}

/** What a connection depends on; the token is sent again with every request. */
function identityOf({ ca, cert, key, servername }: RequestOptions): string {
  return JSON.stringify([ca, cert, key, servername]);
}

function headersOf({ headers }: RequestOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

function connect(config: KubeConfig, options: RequestOptions): Pick<Access, 'requests' | 'watches'> {
  const proxied = config.getCurrentCluster()?.proxyUrl !== undefined;
  if (proxied && options.agent instanceof HttpAgent) {
    return { requests: options.agent, watches: options.agent };
  }
  // `timeout` ends connections that idle, so that agents replaced by newer credentials empty themselves.
  const pooled = { keepAlive: true, timeout: IDLE_MS, maxSockets: MAX_CONNECTIONS, scheduling: 'lifo' } as const;
  const plain = config.getCurrentCluster()?.server.startsWith('http:');
  const make = (settings: HttpAgentOptions) =>
    plain ? new HttpAgent(settings) : new Agent({ ...settings, ...tlsOptions(options) });
  return { requests: make(pooled), watches: make({ keepAlive: false }) };
}

function tlsOptions({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): object {
  return Object.fromEntries(
    Object.entries({ ca, cert, key, servername, rejectUnauthorized }).filter(([, value]) => value !== undefined),
  );
}
