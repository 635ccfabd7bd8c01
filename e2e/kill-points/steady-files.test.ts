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
