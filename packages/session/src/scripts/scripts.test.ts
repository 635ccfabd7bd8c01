import { expect, test } from 'vitest';
import { scriptFailure, scriptVariables } from './script-failure.ts';

const place = { phase: 'pre-run', path: '/check.sh', output: { file: '/kept/join-pre-run.log' } } as const;

test('scriptVariables holds the facts', () => {
  const facts = { command: 'join', os: 'linux', arch: 'x64', nodeName: 'press-7', cloud: '10.0.0.5', version: 'v1' };
  expect(scriptVariables(facts, 'pre-run')).toEqual({
    FENESTRA_COMMAND: 'join',
    FENESTRA_PHASE: 'pre-run',
    FENESTRA_OS: 'linux',
    FENESTRA_ARCH: 'x64',
    FENESTRA_NODE_NAME: 'press-7',
    FENESTRA_CLOUD: '10.0.0.5',
    FENESTRA_VERSION: 'v1',
  });
});

test('scriptFailure is nothing for a script that ended well', () => {
  expect(scriptFailure(place, { exitCode: 0, output: 'fine', timedOut: false })).toBeUndefined();
});

test('scriptFailure shows the last lines and says where the rest is', () => {
  const output = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join('');
  const failure = scriptFailure(place, { exitCode: 3, output, timedOut: false });
  expect(failure).toMatchObject({ code: 'SCRIPT_FAILED', hint: expect.stringContaining('/kept/join-pre-run.log') });
  expect(failure?.message.split('\n')).toHaveLength(21);
  expect(failure?.message).toContain('exit code 3');
  expect(failure?.message).toContain('  line 30');
});

test('scriptFailure tells a script that took too long from one that failed', () => {
  const failure = scriptFailure({ ...place, phase: 'post-run' }, { exitCode: 0, output: '', timedOut: true });
  expect(failure?.message).toBe('The post-run script "/check.sh" did not end in time');
});

test('scriptFailure says why the output of a script was not kept', () => {
  const lost = { ...place, output: { lost: 'The disk is full' } };
  expect(scriptFailure(lost, { exitCode: 1, output: '', timedOut: false })?.hint).toContain('The disk is full');
});
