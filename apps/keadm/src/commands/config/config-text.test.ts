import { expect, test } from 'vitest';
import { changesText, joinLines, notesText, restartText } from './config-text.ts';

test('a change says what it was and what it is, and what was not set', () => {
  const changes = [
    { path: 'modules.edgeHub.heartbeat', before: 15, after: 20 },
    { path: 'modules.edged.nodeLabels.hall', before: undefined, after: '7' },
  ];
  expect(changesText(changes)).toBe(
    '  modules.edgeHub.heartbeat: 15 -> 20\n  modules.edged.nodeLabels.hall: (not set) -> "7"',
  );
});

test('what has nothing to say takes no line', () => {
  expect(joinLines(changesText([]), notesText([]), restartText([]), 'Done')).toBe('Done');
  expect(joinLines(restartText(['database.dataSource']), 'Done')).toBe(
    'Requires a restart of the agent: database.dataSource\nDone',
  );
});
