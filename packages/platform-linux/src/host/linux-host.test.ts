import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostContract } from '@fenestra/platform/contract';
import { afterAll } from 'vitest';
import { testContract } from '../testing/contract-tests.ts';
import { linuxHost } from './linux-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testContract(
  hostContract({
    host: linuxHost(),
    folder,
    shortRunning: { executable: '/bin/true', args: [] },
    cannotShow: {},
  }),
);
