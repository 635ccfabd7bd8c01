import type { RemoteTarget } from '@fenestra/platform';
import type { CommandEffect } from '../../far-end/command-effect.ts';
import type { BatchNode } from '../../inventory/batch.ts';
import type { WorkContext } from '../../run/node-worker.ts';

/** A node whose command is these words; `secrets` among them are not shown. */
export function testNode(
  target: RemoteTarget,
  words: readonly string[],
  more: Partial<BatchNode> & { readonly secrets?: readonly string[] } = {},
): BatchNode {
  const { secrets = [], ...rest } = more;
  return {
    name: target.name,
    groups: [],
    labels: {},
    shownCommand: words.map((word) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), word)),
    command: async () => words,
    copyFrom: undefined,
    os: undefined,
    become: undefined,
    limits: { deliverSeconds: 20, commandSeconds: 20 },
    retries: { attempts: 1, firstDelaySeconds: 1, longestDelaySeconds: 1 },
    target: async () => target,
    ...rest,
  };
}

/** The effect of a command that declares nothing. */
export const testEffect: CommandEffect = {
  node: 'edge',
  previewed: false,
  needsElevation: false,
  leavesAgent: false,
  undo: 'none',
  root: undefined,
};

/** What a part of the work is given, and what it says. */
export interface TestContext extends WorkContext {
  readonly logged: readonly string[];
  readonly said: readonly string[];
}

/** Keeps what is said. */
export function testContext(
  runId = '20260102-abc',
  signal = new AbortController().signal,
  commandTry = 1,
): TestContext {
  const logged: string[] = [];
  const said: string[] = [];
  return {
    runId,
    commandTry,
    signal,
    log: (line) => void logged.push(line),
    say: (text) => void said.push(text),
    progress: () => undefined,
    logged,
    said,
  };
}
