import { createServer, type IncomingMessage } from 'node:http';
import { limitPending, type Logger } from '@fenestra/platform';
import { listen, type Listening } from './server/listen.ts';

/** What the monitor server tells. */
interface MonitorOptions {
  /** `host:port`. */
  readonly bindAddress: string;
  /** Read at every question: what has to hold grows while the cloud starts. */
  readonly conditions: () => Conditions;
  /** The metrics in Prometheus' text form, and the content type they go with. */
  readonly metrics: () => Promise<string>;
  readonly metricsType: string;
  readonly log: Logger;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** No one proves who it is here. */
const CALLERS = { perAddress: 64, total: 128 };
const PLAIN = 'text/plain; charset=utf-8';

/** Serves `/healthz` (the process works), `/readyz` (nodes are served) and `/metrics`. */
export async function startMonitorServer(options: MonitorOptions): Promise<Listening> {
  const { host, port } = splitAddress(options.bindAddress);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const send = ({ status, type, text }: Page): void =>
      void response.writeHead(status, { 'Content-Type': type }).end(text);
    page(request, options).then(send, (error: unknown) => {
      options.log.error('Cannot answer the monitor', { error: String(error) });
      send({ status: 500, type: PLAIN, text: 'failed\n' });
    });
  });
  limitPending(server, CALLERS);
  return listen(server, host, port);
}

/** Takes `127.0.0.1:9091` or `[::1]:9091` apart. */
export function splitAddress(address: string): { host: string; port: number } {
  const separator = address.lastIndexOf(':');
  return { host: address.slice(0, separator).replace(/^\[|\]$/g, ''), port: Number(address.slice(separator + 1)) };
}

async function page(request: IncomingMessage, { conditions, metrics, metricsType }: MonitorOptions): Promise<Page> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  switch (path) {
    case '/healthz':
      return { status: 200, type: PLAIN, text: 'ok\n' };
    case '/readyz': {
      const { ready, report } = readiness(conditions());
      return { status: ready ? 200 : 503, type: PLAIN, text: report };
    }
    case '/metrics':
      return { status: 200, type: metricsType, text: await metrics() };
    default:
      return { status: 404, type: PLAIN, text: 'There are /healthz, /readyz and /metrics\n' };
  }
}

/** What has to be so for nodes to be served, by name; the value says whether it is. */
export type Conditions = Readonly<Record<string, () => boolean>>;

/** Whether everything is as it should be, and if not, what is not. */
function readiness(conditions: Conditions): { readonly ready: boolean; readonly report: string } {
  const lines = Object.entries(conditions).map(([name, holds]) => `${holds() ? '[+]' : '[-]'}${name}`);
  const ready = Object.values(conditions).every((holds) => holds());
  return { ready, report: `${[...lines, ready ? 'ready' : 'not ready'].join('\n')}\n` };
}
