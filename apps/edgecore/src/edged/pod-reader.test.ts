import { silentLogger } from '@fenestra/platform';
import { expect, test, vi } from 'vitest';
import { podReader } from './pod-reader.ts';

const SPEC = { containers: [{ name: 'main', image: 'web:1' }] };
const GOOD = { metadata: { name: 'good', namespace: 'shop', uid: 'uid-1' }, spec: SPEC };
const BAD = { metadata: { name: 'bad', namespace: 'shop', uid: 'uid-2' }, spec: { containers: 'none' } };

test('a pod that cannot be read is not started, and what runs of it is kept', () => {
  const { pods, wanted } = podReader(silentLogger())([GOOD, BAD]);
  expect(pods.map(({ metadata }) => metadata.name)).toEqual(['good']);
  expect([...wanted]).toEqual(['uid-1', 'uid-2']);
});

test('a deleted pod is not kept if it cannot be read', () => {
  const deleted = { ...BAD, metadata: { ...BAD.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect([...podReader(silentLogger())([GOOD, deleted]).wanted]).toEqual(['uid-1']);
});

test('a pod that cannot be read is logged once', () => {
  const error = vi.fn<(message: string, fields?: object) => void>();
  const read = podReader({ error });
  read([BAD]);
  read([BAD]);
  expect(error).toHaveBeenCalledOnce();
  expect(error).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ pod: 'shop/bad' }));
});
