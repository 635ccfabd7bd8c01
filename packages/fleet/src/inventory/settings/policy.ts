import type { Budgets, HaltRule, RunPolicy, Wave } from '../../run/policy.ts';
import { bytesOf, spanSeconds } from '../file/scalars.ts';
import type { BatchFile, WaveSettings } from '../file/schema.ts';
import type { Findings } from './findings.ts';

/** What a run may do at once where the file says nothing: two cores are full by then, and more only costs. */
const DEFAULT_CONNECTIONS = 32;

/** Enough for every connection to be sending; who has a thin line says less. */
const DEFAULT_BYTES_IN_FLIGHT = 4 * 2 ** 30;

/** Where the file says nothing, more than this share is too much to lose. */
const DEFAULT_FAILED_PERCENT = 20;

/** One or two bad machines are not reason to leave all the others alone. */
const HARMLESS_FAILURES = 2;

/** What the file's policy needs to know of its nodes. */
export interface PolicyNode {
  readonly groups: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** How the run is to go. */
export function runPolicy(file: BatchFile, nodes: readonly PolicyNode[], findings: Findings): RunPolicy {
  return {
    budgets: budgetsOf(file, nodes, findings),
    waves: wavesOf(file.waves ?? [], nodes, findings),
    halt: haltRule(file, nodes.length),
    onHalt: file.onHalt ?? 'hold',
    unreachable: file.unreachable ?? 'go-on',
  };
}

function budgetsOf(
  { limits, maxRunNum, groups }: BatchFile,
  nodes: readonly PolicyNode[],
  findings: Findings,
): Budgets {
  if (maxRunNum !== undefined && limits?.connections !== undefined && maxRunNum !== limits.connections) {
    findings.problem('limits.connections', 'differs from maxRunNum, which means the same: remove one');
  }
  const connections = limits?.connections ?? maxRunNum ?? DEFAULT_CONNECTIONS;
  const perGroup = Object.entries(groups ?? {}).flatMap(([name, { maxDisrupted }]) =>
    maxDisrupted === undefined ? [] : [[name, countOf(maxDisrupted, membersOf(name, nodes))] as const],
  );
  return {
    connections,
    bytesInFlight: bytesOf(limits?.bytesInFlight ?? DEFAULT_BYTES_IN_FLIGHT),
    disrupted: limits?.disrupted === undefined ? connections : countOf(limits.disrupted, nodes.length),
    disruptedPerGroup: Object.fromEntries(perGroup),
  };
}

function membersOf(group: string, nodes: readonly PolicyNode[]): number {
  return nodes.filter(({ groups }) => groups.includes(group)).length;
}

/** A share is rounded up, so that there is always someone to go on with. */
function countOf(written: number | string, all: number): number {
  const size = sizeOf(written);
  return 'nodes' in size ? size.nodes : Math.max(1, Math.ceil((all * size.percent) / 100));
}

function sizeOf(written: number | string): Wave['size'] {
  const [, percent] = /^(.*)%$/.exec(String(written)) ?? [];
  return percent === undefined ? { nodes: Number(written) } : { percent: Number(percent) };
}

const ALL: Wave['size'] = { percent: 100 };

function wavesOf(given: readonly WaveSettings[], nodes: readonly PolicyNode[], findings: Findings): readonly Wave[] {
  const waves = given.map(({ name, size, labels, soak }, index): Wave => ({
    name: name === undefined || name === '' ? `wave-${index + 1}` : name,
    size: size === undefined ? ALL : sizeOf(size),
    labels: labels ?? {},
    soakSeconds: spanSeconds(soak ?? '0'),
  }));
  checkWaves(waves, nodes, findings);
  const last = waves.at(-1);
  if (last !== undefined && 'percent' in last.size && last.size.percent === 100 && isEmpty(last.labels)) return waves;
  return [...waves, { name: restName(waves), size: ALL, labels: {}, soakSeconds: 0 }];
}

function restName(waves: readonly Wave[]): string {
  return waves.length === 0 ? 'all' : waves.some(({ name }) => name === 'rest') ? 'remaining' : 'rest';
}

function checkWaves(waves: readonly Wave[], nodes: readonly PolicyNode[], findings: Findings): void {
  for (const [index, { name, labels }] of waves.entries()) {
    const path = `waves[${index}]`;
    if (waves.findIndex((other) => other.name === name) < index) findings.problem(`${path}.name`, 'is given twice');
    const wanted = Object.entries(labels);
    const meant = nodes.some((node) => wanted.every(([label, value]) => node.labels[label] === value));
    if (wanted.length > 0 && !meant) findings.problem(`${path}.labels`, 'match no node in this file');
  }
}

function isEmpty(labels: Wave['labels']): boolean {
  return Object.keys(labels).length === 0;
}

/**
 * Where the file says nothing, it is a share of a wave; a canary of up to four nodes halts at its first failure. Without
 * waves it is a share of all the nodes that have to be changed, and one or two failures never halt.
 */
function haltRule({ halt, waves = [] }: BatchFile, nodes: number): HaltRule {
  if (halt !== undefined) {
    return { failedPercent: halt.failedPercent ?? 100, harmlessNodes: 0, failedNodes: halt.failedNodes ?? nodes };
  }
  const harmlessNodes = waves.length > 0 ? 0 : HARMLESS_FAILURES;
  return { failedPercent: DEFAULT_FAILED_PERCENT, harmlessNodes, failedNodes: nodes };
}
