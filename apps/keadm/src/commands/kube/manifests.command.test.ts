import { expect, test } from 'vitest';
import { keadmInMemory } from '../../testing/keadm-in-memory.ts';
import { appliedText, nodesAddress } from './manifests.command.ts';

const manifests = async (...args: readonly string[]) => keadmInMemory('kube', 'manifests', ...args);

test('the manifests go to standard output, and what has to be known beside them', async () => {
  const { exitCode, out, err } = await manifests('--api-server', '10.0.0.5:6443', '--kubernetes-version', '1.33');
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^# For Kubernetes v1\.33\.0, network flannel-overlay/);
  expect(out.match(/^kind: DaemonSet$/gm)).toHaveLength(2);
  expect(err).toMatch(/^ {2}note {4}The Flannel of the Linux nodes must have/);
});

test('as JSON they are one list', async () => {
  const { out } = await manifests('--api-server', '10.0.0.5:6443', '--policies', '--output', 'json');
  const list: unknown = JSON.parse(out);
  expect(list).toMatchObject({ apiVersion: 'v1', kind: 'List', items: expect.any(Array) });
});

test('the historic way is loud', async () => {
  const { err } = await manifests('--api-server', '10.0.0.5:6443', '--wins');
  expect(err).toContain('DANGER');
});

test.each([
  [[], 'Error: Missing the API server endpoint for Windows nodes. '],
  [['--apply'], 'Error: Cannot apply manifests without a cluster. '],
  [['--dry-run'], 'Error: Cannot use "--dry-run" without "--apply"'],
  [['--api-server', 'a:1', '--network', 'x'], 'Error: Cannot make the network "x". '],
])('%j is refused in one line', async (args, message) => {
  const { exitCode, out, err } = await manifests(...args);
  expect({ exitCode, out, lines: err.trimEnd().split('\n').length }).toEqual({ exitCode: 2, out: '', lines: 1 });
  expect(err.startsWith(message)).toBe(true);
});

test.each([
  ['https://10.0.0.5:6443', '10.0.0.5:6443'],
  ['https://api.example', 'api.example:443'],
  ['https://[fd00::1]:6443', '[fd00::1]:6443'],
])('nodes reach "%s" at "%s"', (server, address) => {
  expect(nodesAddress(server)).toBe(address);
});

test.each(['https://127.0.0.1:6443', 'https://localhost:6443', 'https://[::1]:6443', 'http://10.0.0.5:8080'])(
  'nodes do not get the address "%s"',
  (server) => {
    expect(() => nodesAddress(server)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  },
);

test('what was done is said object by object, and counted', () => {
  const changes = [
    { action: 'created', kind: 'Namespace', name: 'n' },
    { action: 'unchanged', kind: 'ConfigMap', name: 'c', namespace: 'n' },
  ] as const;
  expect(appliedText(changes, false)).toBe('created    Namespace n\nunchanged  ConfigMap n/c\n1 of 2 objects changed');
  expect(appliedText(changes, true)).toContain('nothing was changed');
});
