import { get } from 'node:http';
import { systemCodeOf } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import { HEALTHY_ANSWER } from './judge-kubelet.ts';

const ANSWER_MS = 5_000;
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' };

/** Where a kubelet tells how it is. */
export interface HealthzAddress {
  readonly address: string;
  readonly port: number;
}

/** The address to ask at; one that listens everywhere is asked at loopback. */
export function healthzUrl({ address, port }: HealthzAddress): string {
  const host = EVERYWHERE[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`;
}

/** Asks a kubelet how it is: `ok`, or what came instead. */
export async function askHealthz(url: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  // Never by way of the process-wide agent: no connection is kept to a kubelet that may be replaced.
  const request = get(url, { agent: false, signal: within(ANSWER_MS, signal) }, (response) => {
    response.resume();
    resolve(response.statusCode === 200 ? HEALTHY_ANSWER : `it answers ${response.statusCode}`);
  });
  request.on('error', (cause) => resolve(refusal(systemCodeOf(cause))));
  return promise;
}

function refusal(systemCode: string): string {
  return systemCode === 'ECONNREFUSED' ? 'connection refused' : `it does not answer (${systemCode})`;
}
