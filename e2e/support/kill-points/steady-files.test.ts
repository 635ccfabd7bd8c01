import { expect, test } from 'vitest';
import { steadyFiles } from './steady-files.ts';

test('steadyFiles leaves out what the agent writes, and forgets what certificates and databases contain', () => {
  const tree = {
    '/': 'folder 700',
    'config/edgecore.yaml': 'file 600 aa',
    'certs/server.key': 'file 600 bb',
    'backups/v0.1.0/edgecore.db': 'file 600 cc',
    'edgecore.db-wal': 'file 600 dd',
    'log/': 'folder 700',
    'log/edgecore.log': 'file 600 ee',
    'agent-status.json': 'file 600 ff',
  };
  expect(steadyFiles(tree)).toEqual({
    '/': 'folder 700',
    'config/edgecore.yaml': 'file 600 aa',
    'certs/server.key': 'file 600',
    'backups/v0.1.0/edgecore.db': 'file 600',
  });
});

test('steadyFiles takes the time out of the name of a backup, but not where that would hide a second one', () => {
  const tree = {
    'backups/v0.1.0-20261115T134700123Z/': 'folder 700',
    'backups/v0.2.0/': 'folder 700',
    'backups/v0.2.0-20261115T134700456Z/': 'folder 700',
  };
  expect(Object.keys(steadyFiles(tree))).toEqual([
    'backups/v0.1.0/',
    'backups/v0.2.0/',
    'backups/v0.2.0-20261115T134700456Z/',
  ]);
});
