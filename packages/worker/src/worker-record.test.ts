import { expect, test } from 'vitest';
import { BLANK_RECORD, parseRecord, readRecord, recordText, type WorkerRecord } from './worker-record.ts';

const cluster = {
  nodeName: 'w1',
  endpoint: 'c:6443',
  server: 'https://c:6443',
  caSha256: 'cd',
  criSocket: 'unix:///c',
};
const record: WorkerRecord = {
  ...BLANK_RECORD,
  programs: [
    { name: 'kubelet', path: '/usr/local/bin/kubelet', version: 'v1.33.1', digest: { algorithm: 'sha512', hex: 'ab' } },
  ],
  cluster,
};

test('a record that was written is read back, with the patches of its worker', () => {
  expect(parseRecord(recordText(record), 'worker.json')).toEqual(record);
  const patch = { source: 'a', target: 'kubeletconfiguration', type: 'json', content: [{ op: 'remove' }] } as const;
  const patched = { ...record, cluster: { ...cluster, patches: [patch] } };
  expect(parseRecord(recordText(patched), 'worker.json')).toEqual(patched);
});

test('what is not a record, or one of another form, is reported with its file', () => {
  for (const text of ['', '{}', 'null', recordText(record).replace('"form": 1', '"form": 2')]) {
    expect(() => parseRecord(text, '/worker.json')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('/worker.json') }),
    );
  }
});

test('where there is no record nothing is remembered', async () => {
  await expect(readRecord('/no/such/worker.json')).resolves.toBeUndefined();
});
