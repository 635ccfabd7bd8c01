import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { terminationMessage } from './termination-message.ts';

function messageOf(terminationMessagePolicy: string, exitCode: number, file: string, log: string): string {
  const [main] = samplePod({ containers: [{ name: 'main', image: 'a', terminationMessagePolicy }] }).spec.containers;
  if (main === undefined) throw new Error('no container');
  return terminationMessage(main, exitCode, Buffer.from(file), log);
}

test.each([
  ['File', 0, 'done', 'log', 'done'],
  ['File', 1, '', 'log', ''],
  ['FallbackToLogsOnError', 1, '', 'log', 'log'],
  ['FallbackToLogsOnError', 1, 'why', 'log', 'why'],
  ['FallbackToLogsOnError', 0, '', 'log', ''],
])(
  'with the policy %s, the exit code %i, the file %j and the log %j, the message is %j',
  (...[policy, code, file, log, message]) => {
    expect(messageOf(policy, code, file, log)).toBe(message);
  },
);

test('a message is cut: 4096 bytes of a file, 2048 bytes or 80 lines of a log', () => {
  expect(messageOf('File', 0, 'x'.repeat(5000), '')).toHaveLength(4096);
  expect(messageOf('FallbackToLogsOnError', 1, '', 'y'.repeat(5000))).toHaveLength(2048);
  const lines = Array.from({ length: 100 }, (_, index) => `${index}\n`).join('');
  expect(messageOf('FallbackToLogsOnError', 1, '', lines).split('\n')[0]).toBe('20');
});
