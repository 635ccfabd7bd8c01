import { isIPv6 } from 'node:net';
import type { EdgecoreConfig } from '@fenestra/contracts';

/** One port of the cloud. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Where a configuration has its cloud: the HTTPS server that gives certificates, and the hub. */
export interface CloudAddress {
  readonly certificates: Endpoint;
  readonly hub: Endpoint;
}

const HTTPS_PORT = 443;

/** The cloud of a configuration. */
export function cloudOf({ modules: { edgeHub } }: EdgecoreConfig): CloudAddress {
  const { hostname, port } = new URL(edgeHub.httpServer);
  return {
    certificates: { host: withoutBrackets(hostname), port: port === '' ? HTTPS_PORT : Number(port) },
    hub: parseEndpoint(edgeHub.websocket.server),
  };
}

/** An endpoint as a configuration has it, an IPv6 address in brackets. */
export function endpointText({ host, port }: Endpoint): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Takes `host:port`, of which the schema has made sure, apart. */
function parseEndpoint(text: string): Endpoint {
  const colon = text.lastIndexOf(':');
  return { host: withoutBrackets(text.slice(0, colon)), port: Number(text.slice(colon + 1)) };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
