import { expect, test } from 'vitest';
import { commandWords } from './command-words.ts';
import { redact, secretsOf } from './redact.ts';

test('a token becomes a variable, in whichever way it was written', () => {
  for (const flag of [['--token', 'abc.def'], ['--token=abc.def'], ['-t', 'abc.def']]) {
    expect(commandWords(['join', ...flag, '--root', '/x'])).toEqual({
      argv: ['join', '--root', '/x', '--output', 'json'],
      variables: { KEADM_TOKEN: 'abc.def' },
    });
  }
});

test('no question is asked, and the answer is always for programs', () => {
  expect(unattendedWords('reset', '-o', 'text')).toEqual(['reset', '--force', '--output', 'json']);
  expect(unattendedWords('reset', 'edge', '--force')).toEqual(['reset', 'edge', '--force', '--output', 'json']);
  expect(commandWords(['logs', '-t', '5'])).toEqual({ argv: ['logs', '-t', '5', '--output', 'json'], variables: {} });
});

function unattendedWords(...argv: readonly string[]): readonly string[] {
  return commandWords(argv, ['--force']).argv;
}

test('secretsOf finds what was hidden, and redact hides it again', () => {
  const secrets = secretsOf(['join', '--token=s.3(', 'user:pw@x', 'tok'], ['join', '--token=***', 'user:***@x', '***']);
  expect(secrets).toEqual(['s.3(', 'tok', 'pw']);
  expect(redact('got s.3( and pw', secrets)).toBe('got *** and ***');
  expect(secretsOf(['a', 'b'], ['a', 'b'])).toEqual([]);
  expect(secretsOf(['--login=us:er:pw'], ['--login=***:***'])).toEqual(expect.arrayContaining(['us:er', 'pw', 'us']));
});
