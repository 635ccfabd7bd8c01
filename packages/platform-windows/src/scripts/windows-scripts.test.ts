import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { scriptCommand } from './windows-scripts.ts';

const SYSTEM = 'C:\\Windows\\System32';

test('a PowerShell script runs with its arguments as they are, whatever the machine forbids', () => {
  expect(scriptCommand('C:\\a b\\run.PS1', ['100%', '"'], SYSTEM)).toEqual({
    executable: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', 'C:\\a b\\run.PS1', '100%', '"'],
    verbatim: false,
  });
});

test.each(['.cmd', '.bat'])('a %s script and its arguments stand in quotes of their own', (extension) => {
  const { executable, args, verbatim } = scriptCommand(`C:\\a & b\\run${extension}`, ['c & d', '', '^|>'], SYSTEM);
  expect(executable).toBe('C:\\Windows\\System32\\cmd.exe');
  expect(args.join(' ')).toBe(`/d /v:off /s /c ""C:\\a & b\\run${extension}" "c & d" "" "^|>""`);
  expect(verbatim).toBe(true);
});

test.each(['a"b', '%PATH%', 'a\nb', 'a\rb', 'a\0b'])('a batch script cannot be given %j', (word) => {
  expect(() => scriptCommand('C:\\run.cmd', [word], SYSTEM)).toThrow(OperatorError);
  expect(() => scriptCommand(`C:\\${word}\\run.bat`, [], SYSTEM)).toThrow(OperatorError);
});

test('a program runs by itself, and a file of another kind not at all', () => {
  expect(scriptCommand('C:\\x.exe', ['a b'], SYSTEM)).toEqual({
    executable: 'C:\\x.exe',
    args: ['a b'],
    verbatim: false,
  });
  expect(() => scriptCommand('C:\\run.sh', [], SYSTEM)).toThrow(OperatorError);
});
