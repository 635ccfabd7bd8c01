import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { ControllerFigures } from '../controllers/controller.ts';
import type { HubCounts } from '../hub/hub-counts.ts';
import type { Hub } from '../hub/hub.ts';
import type { CertificateCounts } from '../server/certificate-endpoints.ts';

/** What can be measured, by the name it is published under. */
export interface Measured {
  readonly help: string;
  /** A counter only ever grows. */
  readonly kind: 'counter' | 'gauge';
  readonly read: () => number;
}

/** A registry with the process's own metrics. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Adds metrics to a registry. Values are read when someone asks, and cost nothing before. */
export function addMetrics(registry: Registry, measured: Readonly<Record<string, Measured>>): void {
  for (const [name, { help, kind, read }] of Object.entries(measured)) {
    const registers = [registry];
    if (kind === 'gauge') addGauge({ name, help, registers }, read);
    else addCounter({ name, help, registers }, read);
  }
}

interface Description {
  readonly name: string;
  readonly help: string;
  readonly registers: Registry[];
}

function addGauge(description: Description, read: () => number): void {
  const metric: Gauge = new Gauge({ ...description, collect: () => metric.set(read()) });
}

function addCounter(description: Description, read: () => number): void {
  const metric: Counter = new Counter({
    ...description,
    collect() {
      metric.reset();
      metric.inc(read());
    },
  });
}

const COUNTERS: readonly (readonly [keyof HubCounts, string])[] = [
  ['connections', 'Accepted node connections'],
  ['replacements', 'Connections replaced by a newer one of the same node'],
  ['refusals', 'Connections that were refused'],
  ['evictions', 'Sessions ended because the node was silent, too slow or unreadable'],
  ['received', 'Messages received from nodes'],
  ['forged', 'Messages dropped because they claim to come from the cloud'],
  ['oversized', 'Messages dropped because they are too large for their kind'],
  ['sent', 'Messages sent to nodes, repetitions included'],
  ['acknowledged', 'Objects acknowledged by nodes'],
  ['rejected', 'Objects that nodes could not take'],
  ['dropped', 'Messages not sent: too large, or the node reads too slowly'],
  ['throttled', 'Times a node was not read from because it sent too much'],
];

/** The hub's metrics. The first has upstream's name. */
export function hubMeasures(hub: Hub): Readonly<Record<string, Measured>> {
  const counters = COUNTERS.map(([name, help]): [string, Measured] => [
    `fenestra_hub_${name}_total`,
    counter(help, () => hub.counts[name]),
  ]);
  return {
    KubeEdge_CloudHub_connected_nodes: gauge('Nodes connected to this replica', () => hub.connected()),
    fenestra_hub_pending_objects: gauge('Objects on their way to nodes', () => hub.pending()),
    ...Object.fromEntries(counters),
  };
}

/** The certificate server's metrics. */
export function certificateMeasures(
  counts: CertificateCounts,
  tokenExpiry: () => Date | undefined,
): Readonly<Record<string, Measured>> {
  return {
    fenestra_certificates_issued_total: counter('Certificates given to nodes', () => counts.issued),
    fenestra_certificates_refused_total: counter('Requests for certificates that were refused', () => counts.refused),
    fenestra_join_token_expiry_timestamp_seconds: gauge(
      'When the stored join token ends',
      () => (tokenExpiry()?.getTime() ?? 0) / 1_000,
    ),
  };
}

/** The controllers' metrics. */
export function controllerMeasures(figures: () => ControllerFigures): Readonly<Record<string, Measured>> {
  return {
    fenestra_controllers_objects: gauge('Objects followed at the Kubernetes API', () => figures().objects),
    fenestra_controllers_pending_records: gauge(
      'Records of what nodes have that are still to be written',
      () => figures().pendingRecords,
    ),
    fenestra_controllers_pending_requests: gauge(
      'Messages from nodes that wait for the Kubernetes API',
      () => figures().pendingRequests,
    ),
    fenestra_controllers_refused_requests_total: counter(
      'Messages from nodes refused because too many waited',
      () => figures().refusedRequests,
    ),
  };
}

/** The metric of this process's own event loop: nodes are not answered while it is blocked. */
export function eventLoopMeasures(longestDelay: () => number): Readonly<Record<string, Measured>> {
  return {
    fenestra_event_loop_delay_seconds: gauge(
      'Longest time in the last minute for which cloudcore was blocked',
      longestDelay,
    ),
  };
}

/** The embedded API's metrics. */
export function embeddedApiMeasures(
  longestDelay: () => number,
  restarts: () => number,
): Readonly<Record<string, Measured>> {
  return {
    fenestra_embedded_api_event_loop_delay_seconds: gauge(
      'Longest time in the last minute for which the embedded API was blocked',
      longestDelay,
    ),
    fenestra_embedded_api_restarts_total: counter('Times the embedded API ended and was started again', restarts),
  };
}

function counter(help: string, read: () => number): Measured {
  return { help, kind: 'counter', read };
}

function gauge(help: string, read: () => number): Measured {
  return { help, kind: 'gauge', read };
}
