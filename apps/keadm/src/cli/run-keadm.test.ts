import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { keadmInMemory as keadm } from '../testing/keadm-in-memory.ts';
import { completionScript } from '../commands/completion.command.ts';

test('version needs no platform and speaks both forms', async () => {
  expect(await keadm('version')).toEqual({ exitCode: 0, out: 'fenestra 1.2.3 (abc)\n', err: '' });
  expect(JSON.parse((await keadm('version', '--output', 'json')).out)).toEqual({ version: '1.2.3', commit: 'abc' });
});

test.each([
  [['docter'], 'Error: Unknown command "docter". Did you mean "doctor"? See "keadm --help".\n'],
  [['doctor', '--rot', 'x'], 'Error: Unknown option "--rot". Did you mean "--root"? See "keadm doctor --help".\n'],
  [['service', 'instal'], 'Error: Unknown command "instal". Did you mean "install"? See "keadm service --help".\n'],
  [['service'], 'Error: Missing command. See "keadm service --help".\n'],
  [['frobnicate'], 'Error: Unknown command "frobnicate". See "keadm --help".\n'],
])('%j gets one line with the nearest match and exit code 2', async (args, line) => {
  expect(await keadm(...args)).toEqual({ exitCode: 2, out: '', err: line });
});

test.each([
  [['completion', 'tcsh'], 'bash'],
  [['version', '--output', 'xml'], 'json'],
  [['version', 'extra'], 'argument'],
  [['doctor', '--root'], 'missing'],
  [['init'], '--embedded'],
  [['init', '--embedded', '--kubeconfig', 'x'], '--embedded'],
  [['init', '--embedded', '--hub-port', '0'], '65535'],
  [['upgrade', 'edge', '--force', '--type', 'upgrade'], '--type'],
  [
    ['upgrade', '--config', 'f', '--keep', '2', '--trust-key', 'k', '--allow-downgrade'],
    '"--trust-key", "--keep", "--allow-downgrade"',
  ],
  [['upgrade', '--config', 'f', '--toVersion', 'v1.0.0'], '--toVersion'],
  [['rollback', 'v1.0.0', '--historical-version', 'v0.9.0'], '--historical-version'],
  [['rollback', 'edge', '--config', 'f'], '--config'],
  [['backup', 'edge', '--config', 'f'], '--config'],
  [['backup', '--pre-run', 's'], 'changes nothing on the node'],
  [['backup', '--post-run', 's'], 'changes nothing on the node'],
  [['batch'], '--config FILE'],
  [['batch', 'valdate'], 'Unknown command "valdate"'],
  [['batch', 'plan'], '--config'],
  [['batch', 'report', '--format', 'pdf'], 'html'],
  [['batch', 'status', 'one', 'two'], 'argument'],
])('%j gets one line that says what is allowed, and exit code 2', async (args, word) => {
  const { exitCode, out, err } = await keadm(...args);
  expect({ exitCode, out, lines: err.split('\n').length }).toEqual({ exitCode: 2, out: '', lines: 2 });
  expect(err).toContain(word);
});

test.each([
  [['kube', 'join', '--bogus'], 'keadm kube join'],
  [['node', 'revoke'], 'keadm node revoke'],
  [['batch', 'plan'], 'keadm batch plan'],
  [['batch', 'run', '--only'], 'keadm batch run'],
  [['version', 'extra'], 'keadm version'],
  [['image', 'init', 'folder', '--os', '95'], 'keadm image init'],
])('the error of %j points to the help of that command', async (args, path) => {
  expect((await keadm(...args)).err).toContain(`See "${path} --help".`);
});

test('a wrong command line asked for as JSON is answered as JSON', async () => {
  const { exitCode, out } = await keadm('docter', '--output', 'json');
  expect(exitCode).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    error: { code: 'USAGE', hint: 'Did you mean "doctor"? See "keadm --help".' },
  });
});

test('"--version" is what "version" is, and no subcommand removes it', async () => {
  expect(await keadm('--version')).toEqual(await keadm('version'));
  expect((await keadm('upgrade', '--help')).out).toContain('--version');
});

test('help does not tell defaults that are nothing', async () => {
  expect((await keadm('reset', '--help')).out).not.toMatch(/default: (?:false|\[\])/);
});

test('help is not an error', async () => {
  const { exitCode, out } = await keadm('service', '--help');
  expect(exitCode).toBe(0);
  expect(out).toContain('install');
});

test('an unforeseen error is reported as a bug, with its stack and exit code 70, in both forms', async () => {
  const { exitCode, err } = await keadm('doctor');
  expect(exitCode).toBe(70);
  expect(err).toMatch(/^Error: Internal error: Error: this command needs no platform\nHint: Please report it.*\n +at /);
  const answer = await keadm('doctor', '-ojson');
  expect(answer).toMatchObject({ exitCode: 70, err: '' });
  expect(JSON.parse(answer.out)).toMatchObject({ error: { code: 'INTERNAL', details: { stack: expect.any(String) } } });
});

test.each([['constructor'], ['__proto__'], ['toString'], ['valueOf', '--output', 'json']])(
  '%j is not a command, although every object inherits it',
  async (...args) => {
    expect((await keadm(...args)).exitCode).toBe(2);
  },
);

test.each([
  [['version', '-ojson'], true],
  [['version', '--output=json'], true],
  [['version', '-o', 'json', '-o', 'text'], false],
  [['version', '-o', 'text', '-ojson'], true],
  [['docter', '-ojson'], true],
  [['docter', '--output=json'], true],
  [['kube', 'joyn', '-o', 'json'], true],
  [['kube', '-ojson'], true],
  [['join', '--unknown', '-ojson'], true],
  [['join', '--wait', 'x', '-ojson'], true],
  [['logs', '-f', '--unknown', '-o', 'json'], true],
  [['version', '--help', '-o', 'json'], true],
  [['completion', 'words', '--', 'version', '-o', 'json'], false],
])('%j is answered in JSON: %s', async (args, json) => {
  const { out } = await keadm(...args);
  expect(out.startsWith('{')).toBe(json);
  if (json) JSON.parse(out);
});

test.each([
  [['serv'], ['service']],
  [
    ['service', 're'],
    ['restart', 'reload', 'remove'],
  ],
  [['service', 'install', '--d'], ['--dry-run']],
  [
    ['version', '--output', ''],
    ['text', 'json'],
  ],
  [
    ['kube', 'status', '-o', ''],
    ['text', 'json'],
  ],
  [['version', '--output=j'], ['--output=json']],
  [['completion', 'p'], ['powershell']],
])('after %j come %j', async (words, candidates) => {
  const { out } = await keadm('completion', 'words', '--', ...words);
  expect(out.trim().split('\n').toSorted()).toEqual(candidates.toSorted());
});

test('the bash script loads and asks keadm', () => {
  const script = `${completionScript('bash')}
    keadm() { local IFS=' '; printf '%s\\n' "$*"; }
    COMP_WORDS=(keadm service st) COMP_CWORD=2; _keadm; printf '%s' "\${COMPREPLY[0]}"`;
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('completion words -- service st');
});
