import { AGENT_EXAMPLES } from './examples/agent.ts';
import { CLUSTER_EXAMPLES } from './examples/cluster.ts';
import { NODE_EXAMPLES } from './examples/node.ts';

/** A command line, and what it does. */
export interface Example {
  readonly does: string;
  readonly line: string;
}

/** Examples by the words that name a command: what each does, and its line. Tests parse every one of them. */
export type Examples = Readonly<Record<string, Readonly<Record<string, string>>>>;

const EXAMPLES: Examples = { ...NODE_EXAMPLES, ...AGENT_EXAMPLES, ...CLUSTER_EXAMPLES };

/** The examples of the command that these words name; empty for a command that help does not list. */
export function examplesOf(path: string): readonly Example[] {
  return Object.entries(EXAMPLES[path] ?? {}).map(([does, line]) => ({ does, line }));
}

/** The examples as the last part of a help text. */
export function examplesText(examples: readonly Example[]): string {
  const lines = examples.flatMap(({ does, line }) => [`  # ${does}`, `  ${line}`]);
  return lines.length === 0 ? '' : ['', 'Examples:', ...lines].join('\n');
}
