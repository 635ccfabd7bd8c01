import { expect, test } from 'vitest';
import { BLANK_RECORD, parseRecord, readRecord, recordText, type WorkerRecord } from './worker-record.ts';

const record: WorkerRecord = {
  ...BLANK_RECORD,
  programs: [
    { name: 'kubelet', path: '/usr/local/bin/kubelet', version: 'v1.33.1', digest: { algorithm: 'sha512', hex: 'ab' } },
  ],
  cluster: { nodeName: 'w1', endpoint: 'c:6443', server: 'https://c:6443', caSha256: 'cd', criSocket: 'unix:///c' },
};

test('a record that was written is read back', () => {
  expect(parseRecord(recordText(record), 'worker.json')).toEqual(record);
});

test('what is no record, or one of another form, is told with its file', () => {
  for (const text of ['', '{}', 'null', recordText(record).replace('"form": 1', '"form": 2')]) {
    expect(() => parseRecord(text, '/worker.json')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('/worker.json') }),
    );
  }
});

test('where there is no record nothing is remembered', async () => {
  await expect(readRecord('/no/such/worker.json')).resolves.toBeUndefined();
});
