import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentKindOf } from './node-facts.ts';

test.each([
  ['KubeEdge v1.23.0', 'upstream'],
  ['0.1.0', 'fenestra'],
  ['nothing of use', 'fenestra'],
])('a program that says "%s" is of the kind %s', async (answer, kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-kind-'));
  const program = join(folder, 'edgecore');
  await writeFile(program, `#!/bin/sh\necho "${answer}"\n`, { mode: 0o755 });
  expect(await agentKindOf(program)).toBe(kind);
  await rm(folder, { recursive: true });
});
