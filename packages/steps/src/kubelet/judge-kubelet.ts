import { get } from 'node:http';
import { type ErrorCode, systemCodeOf } from '@fenestra/kernel';
import { type ServiceStatus, within } from '@fenestra/platform';
import type { ClusterNode } from '@fenestra/session';
import { judgeService } from '../health/judge-agent.ts';

/** What the cluster shows of a worker: its node, or why that cannot be determined. */
export type NodeSight =
  | { readonly node: ClusterNode | undefined; readonly lastSeen: Date | undefined }
  | { readonly trouble: string };

/** What can be seen of a kubelet at one moment. */
export interface KubeletSight {
  readonly service: ServiceStatus;
  /** The process that was there when the proof began; another one means that the first has ended. */
  readonly firstPid: number | undefined;
  /** Where it shows how it is; `undefined` if it was configured not to. */
  readonly healthz: { readonly url: string; readonly answer: string } | undefined;
  readonly cluster: NodeSight;
}

/** How well a kubelet has to be. */
export interface KubeletGoal {
  readonly node: string;
  /** `registered`: ready, or waiting for nothing but a network plugin. */
  readonly wants: 'registered' | 'ready';
  /** The version that the node has to report; `null` for any. */
  readonly version: string | null;
  /** What the cluster has heard before this moment was said by another kubelet. */
  readonly since: Date;
}

/** How a kubelet is: well, well but for its network, not yet, or never without someone's help. */
export type KubeletVerdict =
  | { readonly state: 'healthy' }
  | { readonly state: 'healthy'; readonly waitsForNetwork: string }
  | { readonly state: 'waiting'; readonly reason: string }
  /** `code`: what the failure is called if it is not the kubelet's own. */
  | { readonly state: 'hopeless'; readonly reason: string; readonly code?: ErrorCode };

/** What a kubelet answers at its health port when it is well. */
const HEALTHY_ANSWER = 'ok';

/** Judges a kubelet by its service, by its own word, and by what its cluster has heard from it. */
export function judgeKubelet(sight: KubeletSight, goal: KubeletGoal): KubeletVerdict {
  return judgeService(sight) ?? judgeHealthz(sight) ?? judgeRegistration(sight, goal) ?? judgeReadiness(sight, goal);
}

function judgeHealthz({ healthz }: KubeletSight): KubeletVerdict | undefined {
  if (healthz === undefined || healthz.answer === HEALTHY_ANSWER) return undefined;
  return waiting(`waiting for the kubelet to be well at ${healthz.url}: ${healthz.answer}`);
}

function judgeRegistration({ cluster }: KubeletSight, goal: KubeletGoal): KubeletVerdict | undefined {
  if ('trouble' in cluster) return waiting(`waiting for the cluster: ${cluster.trouble}`);
  const { node, lastSeen } = cluster;
  if (node === undefined) return waiting(`waiting for the node "${goal.node}" to be registered`);
  // A node of an earlier life may still be there, even as ready.
  if (lastSeen === undefined || lastSeen < goal.since) {
    return waiting(`waiting for the node "${goal.node}" to report to the cluster`);
  }
  if (goal.version === null || node.kubeletVersion === goal.version) return undefined;
  const reported = node.kubeletVersion === '' ? 'none yet' : node.kubeletVersion;
  return waiting(`waiting for the node "${goal.node}" to report version ${goal.version}; it reports ${reported}`);
}

function judgeReadiness({ cluster }: KubeletSight, { wants }: KubeletGoal): KubeletVerdict {
  const node = 'node' in cluster ? cluster.node : undefined;
  if (node?.ready === 'True') return { state: 'healthy' };
  const reason = node?.readyMessage || node?.readyReason || 'no reason reported';
  const network = node?.ready === 'False' && waitsForNetwork(reason);
  if (network && wants === 'registered') return { state: 'healthy', waitsForNetwork: reason };
  return waiting(`waiting for the node to be ready: ${reason}`);
}

/** Whether a network plugin is all that is missing. Kubelets put several reasons in brackets. */
export function waitsForNetwork(message: string): boolean {
  return !message.startsWith('[') && /NetworkPluginNotReady|NetworkReady=false/.test(message);
}

function waiting(reason: string): KubeletVerdict {
  return { state: 'waiting', reason };
}

const ANSWER_MS = 5_000;
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' };

/** Where a kubelet shows how it is. */
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
