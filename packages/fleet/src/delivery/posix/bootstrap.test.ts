import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bootstrap, type Bootstrap } from './bootstrap.ts';

const SCRIPT = 'echo "from ${1%% *}"\nrm -rf "$folder"\necho end';
/** No command of the script is as short as this. */
const STEP = 4;
/** bash reads the settings of an account whose input is a socket. */
const HOME = '/nonexistent';
const env = { SSH_CONNECTION: '192.0.2.1 40 192.0.2.7 22', PATH: process.env['PATH'], HOME };

function run({ line, input }: Bootstrap, more = '') {
  const { stdout, status } = spawnSync('sh', ['-c', line], { input: `${input}${more}`, env, encoding: 'utf8' });
  return { said: stdout.split('\n').filter((text) => text !== '' && text !== 'fenestra-ready'), status };
}

test('a script knows who is connected, and the rest of the input is its own', () => {
  expect(run(bootstrap(SCRIPT, undefined, false)).said).toEqual(['from 192.0.2.1', 'end']);
  const reading = `${SCRIPT}\nread -r line; echo "read $line"`;
  expect(run(bootstrap(reading, undefined, true), 'own\n').said).toEqual(['from 192.0.2.1', 'end', 'read own']);
});

test.each([true, false])('of a script that is cut short nothing is run, with separate input: %s', (hasInput) => {
  const { line, input } = bootstrap(SCRIPT, undefined, hasInput);
  const [first, last] = [input.indexOf('echo'), input.length - 2];
  for (let length = last; length >= first; length -= STEP) {
    expect(run({ line, input: input.slice(0, length) }).said).toEqual([]);
  }
});

test.each(['dash', 'bash --posix', 'busybox sh'])('%s takes a script for tens of thousands of files', (shell) => {
  const { line, input } = bootstrap(`${':\n'.repeat(50_000)}echo end`, undefined, true);
  expect(run({ line: line.replace(/^sh /, `${shell} `), input })).toEqual({ said: ['end'], status: 0 });
});
