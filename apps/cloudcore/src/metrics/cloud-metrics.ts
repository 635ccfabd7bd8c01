import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

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
  const gauge: Gauge = new Gauge({ ...description, collect: () => gauge.set(read()) });
}

function addCounter(description: Description, read: () => number): void {
  const counter: Counter = new Counter({
    ...description,
    collect() {
      counter.reset();
      counter.inc(read());
    },
  });
}
