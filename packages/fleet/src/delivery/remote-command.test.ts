import { expect, test } from 'vitest';
import { runRemote } from './remote-command.ts';
import { localHosts } from './testing/local-hosts.ts';

const { signal } = new AbortController();

test('what a command leaves running in the background is not waited for, and nothing that was said is lost', async () => {
  const hosts = localHosts({ shell: ['sh', '-c'], env: { PATH: '/usr/bin:/bin' } });
  const host = await hosts.connect(hosts.target, signal);
  const line = 'echo one; echo problem >&2; (sleep 0.1; echo two; exec sleep 30) & exit 3';
  const end = await runRemote(host, { line, activity: 'testing' }, signal, 1_500);
  expect(end).toEqual({ exitCode: 3, output: 'one\ntwo\n', errors: 'problem' });
  hosts.cut();
});
