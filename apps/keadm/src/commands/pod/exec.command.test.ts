import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { outputFailed, outputText } from './exec.command.ts';

function failure(code: string): Error {
  return Object.assign(new Error(`write ${code}`), { code });
}

test('a character that comes in two pieces is one character', async () => {
  const output = outputText();
  for (const byte of Buffer.from('aä€')) await output.add(Buffer.of(byte));
  expect(output.text()).toBe('aä€');
});

test.each(['EPIPE', 'EOF'])('an output that is closed (%s) ends the command without a message', (code) => {
  expect(outputFailed(failure(code))).toMatchObject({ exitCode: 141, text: '', streamed: true });
});

test('an output that fails otherwise is reported, and other errors rise as they are', () => {
  expect(() => outputFailed(failure('ENOSPC'))).toThrow('Cannot write the output of the command (ENOSPC)');
  const lost = new OperatorError('COMMAND_FAILED', 'Cannot run the command', { hint: 'Check it.' });
  expect(() => outputFailed(lost)).toThrow(lost);
  const bug = new TypeError('a bug');
  expect(() => outputFailed(bug)).toThrow(bug);
});
