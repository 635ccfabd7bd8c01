import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessControlContract } from './access-control-contract.ts';

test('a case for which the bed lacks what it needs fails instead of passing empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-case-'));
  const access = {
    makePrivate: async () => undefined,
    inspect: async () => ({ private: true, problems: [] }),
    exposures: async () => [],
  };
  const cases = accessControlContract({ access, folder, cannotShow: {} }).filter(({ name }) =>
    name.startsWith('others can'),
  );
  expect(cases).toHaveLength(2);
  for (const others of cases) await expect(others.run()).rejects.toThrow(/no "readableByOthers"/);
  rmSync(folder, { recursive: true });
});
