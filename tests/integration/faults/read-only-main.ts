import { join } from 'node:path';
import { handlerOf, type Step, type StepContext } from '@fenestra/kernel';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

/** Applies and reverts one step of each kind that writes files, below a folder on a disk that cannot be written. */
const [folder = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const at = (...names: readonly string[]): string => join(folder, ...names);
const sha256 = '0'.repeat(64);
const context: StepContext<StepPorts> = {
  ports: { ...sessionBelow(folder, []).ports, secrets: new Map([['token', 'x']]) },
  progress: () => {},
  say: () => {},
};
const subject = {
  nodeName: 'n',
  version: 'v',
  agent: 'fenestra',
  os: 'linux',
  arch: 'x64',
  created: '2026-01-02T03:04:05.678Z',
  service: null,
};
const executable = { from: process.execPath, to: at('program'), sha256 };

const STEPS: readonly Step[] = [
  { kind: 'write-file', path: at('file'), content: 'x' },
  { kind: 'write-file', path: at('old'), content: 'x' },
  { kind: 'write-secret', path: at('secret'), secret: 'token', sha256, ownRights: true },
  { kind: 'create-folder', path: at('a', 'b') },
  { kind: 'claim-folders', folders: [at('a'), at('a', 'b')] },
  { kind: 'claim-node', nodeName: 'n', cloud: 'c', folders: [at('a')], traces: [at('trace')] },
  { kind: 'place-executable', ...executable },
  { kind: 'place-file', ...executable, mode: 0o600, keep: at('keep'), companions: ['-wal'] },
  { kind: 'snapshot-database', database: at('db'), to: at('copy') },
  { kind: 'unpack-backup', archive: at('old'), sha256, to: at('unpacked'), moves: [] },
  { kind: 'unpack-archive', archive: at('old'), part: '.', to: at('unpacked') },
  {
    kind: 'write-backup',
    to: at('archive'),
    encrypted: true,
    subject: { ...subject, schema: 1, folders: { config: '', state: '' } },
    sources: [],
    scratch: at('scratch'),
  },
];

async function failureOf(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => 'done',
    (error: unknown) => String(error),
  );
}

const results: unknown[] = [];
for (const step of STEPS) {
  const handler = handlerOf(STEP_HANDLERS, step);
  const before = await handler.prepare(step, context, signal);
  const apply = await failureOf(handler.apply(step, before, context, signal));
  results.push([step.kind, apply, await failureOf(handler.revert(step, before, context, signal))]);
}
process.stdout.write(`${JSON.stringify(results)}\n`);
