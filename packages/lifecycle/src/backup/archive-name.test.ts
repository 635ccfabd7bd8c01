import { expect, test } from 'vitest';
import { archiveName, parseArchiveName } from './archive-name.ts';
import type { BackupSubject } from '@fenestra/steps';

const subject: BackupSubject = {
  schema: 1,
  nodeName: 'edge-1.example',
  version: 'v1.23.0-rc.1+5',
  agent: 'fenestra',
  os: 'linux',
  arch: 'x64',
  created: '2026-01-02T03:04:05.678Z',
  folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
  service: null,
};

test('an archive says in its name what it is', () => {
  const name = archiveName(subject, true);
  expect(name).toBe('fenestra-backup-edge-1.example-v1.23.0-rc.1+5-20260102T030405Z.tar.gz.enc');
  expect(parseArchiveName(name)).toEqual({
    nodeName: 'edge-1.example',
    version: 'v1.23.0-rc.1+5',
    created: '2026-01-02T03:04:05Z',
    encrypted: true,
  });
});

test('a version that is no version does not get into a file name', () => {
  expect(archiveName({ ...subject, version: '../../x' }, false)).toBe(
    'fenestra-backup-edge-1.example-unknown-20260102T030405Z.tar.gz',
  );
});

test.each(['notes.txt', 'fenestra-backup-a-v1.0.0-20260102T030405Z.tar.gz.partial', 'fenestra-backup-.tar.gz'])(
  '%j is no archive',
  (name) => expect(parseArchiveName(name)).toBeUndefined(),
);
