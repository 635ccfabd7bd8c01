import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bootstrap, type Bootstrap } from './bootstrap.ts';

const SCRIPT = 'echo "from ${1%% *}"\nrm -rf "$folder"\necho end';
const env = { SSH_CONNECTION: '192.0.2.1 40 192.0.2.7 22', PATH: process.env['PATH'] };

function run({ line, input }: Bootstrap, more = '') {
  const { stdout, status } = spawnSync('sh', ['-c', line], { input: `${input}${more}`, env, encoding: 'utf8' });
  return { said: stdout.split('\n').filter((text) => text !== '' && text !== 'fenestra-ready'), status };
}

test('a script knows who is connected, and the rest of the input is its own', () => {
  expect(run(bootstrap(SCRIPT, undefined, false)).said).toEqual(['from 192.0.2.1', 'end']);
  const reading = `${SCRIPT}\nread -r line; echo "read $line"`;
  expect(run(bootstrap(reading, undefined, true), 'own\n').said).toEqual(['from 192.0.2.1', 'end', 'read own']);
});

test.each([true, false])('of a script that is cut short nothing is run, with input of its own: %s', (hasInput) => {
  const { line, input } = bootstrap(SCRIPT, undefined, hasInput);
  for (let length = input.indexOf('echo'); length < input.length - 2; length += 1) {
    expect(run({ line, input: input.slice(0, length) }).said).toEqual([]);
  }
});
