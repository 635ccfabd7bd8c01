import { expect, test } from 'vitest';
import { confirmReset, requireEdge, reportText } from './reset-text.ts';

const terminal = { out: () => {}, err: () => {} };
const { signal } = new AbortController();

test('the report names what was deleted, what was kept and why, and what could not be asked', () => {
  const report = {
    node: 'edge-1',
    removed: ['/var/lib/kubeedge'],
    kept: [{ path: '/etc/kubeedge/mine', why: 'it was not made for the node' }],
    inCloud: 'unknown' as const,
    notes: ['The cloud may still list the node'],
  };
  expect(reportText({ outcome: 'applied', recovered: [], abandoned: [] }, report)).toBe(
    [
      'Removed the node "edge-1" from this machine',
      '  deleted  /var/lib/kubeedge',
      '  kept     /etc/kubeedge/mine: it was not made for the node',
      'The cloud may still list the node',
    ].join('\n'),
  );
});

test('a second reset has nothing to do', () => {
  const report = { node: 'edge-1', removed: [], kept: [], inCloud: 'unknown' as const, notes: [] };
  expect(reportText({ outcome: 'unchanged', recovered: [], abandoned: [] }, report)).toBe(
    'Nothing to do: this machine has no node',
  );
});

test('earlier work that was given up is named, with what held it up and where its journal is', () => {
  const report = { node: 'edge-1', removed: [], kept: [], inCloud: false, notes: [] };
  const abandoned = [{ command: 'keadm upgrade', journal: '/j.set-aside', why: 'Cannot undo step 3' }];
  expect(reportText({ outcome: 'applied', recovered: [], abandoned }, report)).toBe(
    [
      'Abandoned the operation "keadm upgrade", which could not be finished: Cannot undo step 3; its journal is now "/j.set-aside"',
      'Removed the node "edge-1" from this machine',
    ].join('\n'),
  );
});

const NODE = { nodeName: 'edge-1', nameKnown: true };

test('a node whose name nothing tells is confirmed by the name of the machine, and not called by it', async () => {
  const questions: string[] = [];
  const ask = async (question: string): Promise<string> => (questions.push(question), 'host-7');
  await confirmReset({ terminal: { ...terminal, ask }, signal }, { nodeName: 'host-7', nameKnown: false });
  expect(questions).toEqual([
    'This removes the node of the machine "host-7" permanently. Type the machine\'s name to continue: ',
  ]);
});

test('without a terminal the answer has to be on the command line', async () => {
  await expect(confirmReset({ terminal, signal }, NODE)).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' });
});

test.each([
  ['edge-1', true],
  [' edge-1 ', true],
  ['yes', false],
  ['', false],
])('the answer %j is taken: %s', async (answer, taken) => {
  const asked = confirmReset({ terminal: { ...terminal, ask: async () => answer }, signal }, NODE);
  if (taken) await expect(asked).resolves.toBeUndefined();
  else await expect(asked).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' });
});

test("upstream's reset edge is taken, its reset cloud is named", () => {
  expect(() => requireEdge('edge')).not.toThrow();
  expect(() => requireEdge('cloud')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
