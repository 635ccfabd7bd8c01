import { expandStatic } from '../environment/container-environment.ts';
import { resolvePort } from '../network/ports.ts';
import type { Container, LifecycleHandler, Probe } from '../pod/container-fields.ts';

/** What a probe or a hook does, with all names resolved. */
export type ProbeAction =
  | { readonly kind: 'exec'; readonly command: readonly string[] }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** In the order in which they are sent; `Host` among them replaces that of the URL. */
      readonly headers: readonly { readonly name: string; readonly value: string }[];
    }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'grpc'; readonly host: string; readonly port: number; readonly service: string }
  | { readonly kind: 'sleep'; readonly seconds: number }
  | { readonly kind: 'invalid'; readonly message: string };

const PROBE_HEADERS = [
  { name: 'User-Agent', value: 'kube-probe/1.32' },
  { name: 'Accept', value: '*/*' },
];

/** What a probe or a hook has to do for a container of the pod with this address. */
export function probeAction(container: Container, handler: Probe | LifecycleHandler, podIp: string): ProbeAction {
  const { exec, httpGet, tcpSocket } = handler;
  if (exec) return { kind: 'exec', command: (exec.command ?? []).map((part) => expandStatic(part, container)) };
  if (httpGet) return httpAction(container, httpGet, podIp);
  if (tcpSocket) {
    const port = portOf(container, tcpSocket.port);
    return typeof port === 'string' ? invalid(port) : { kind: 'tcp', host: tcpSocket.host ?? podIp, port };
  }
  if ('grpc' in handler && handler.grpc) {
    const { port, service = '' } = handler.grpc;
    return { kind: 'grpc', host: podIp, port, service };
  }
  if ('sleep' in handler && handler.sleep) return { kind: 'sleep', seconds: handler.sleep.seconds };
  return invalid('missing probe handler');
}

/** What an answer over HTTP means. A redirect to another host is not followed and counts as success. */
export function httpOutcome(status: number): 'success' | 'failure' {
  return status >= 200 && status < 400 ? 'success' : 'failure';
}

function httpAction(container: Container, get: NonNullable<Probe['httpGet']>, podIp: string): ProbeAction {
  const port = portOf(container, get.port);
  if (typeof port === 'string') return invalid(port);
  const { host = podIp, path = '/', scheme = 'HTTP', httpHeaders = [] } = get;
  const own = new Set(httpHeaders.map(({ name }) => name.toLowerCase()));
  const defaults = PROBE_HEADERS.filter(({ name }) => !own.has(name.toLowerCase()));
  const address = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = `${scheme.toLowerCase()}://${address}:${port}${path.startsWith('/') ? path : `/${path}`}`;
  // An own header without a value removes the usual one.
  const sent = httpHeaders.filter(({ name, value }) => value !== '' || !isUsual(name));
  return { kind: 'http', url, headers: [...defaults, ...sent] };
}

function isUsual(header: string): boolean {
  return PROBE_HEADERS.some(({ name }) => name.toLowerCase() === header.toLowerCase());
}

function portOf(container: Container, port: number | string): number | string {
  const found = resolvePort(container, port);
  if (found === undefined) return `the container has no port "${port}"`;
  return found > 0 && found < 65_536 ? found : `the port ${found} is not valid`;
}

function invalid(message: string): ProbeAction {
  return { kind: 'invalid', message };
}
