import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsAccessControl, type Native } from '@fenestra/platform-windows';
import { scratchFolder, type WindowsBed } from './windows-bed.ts';

const FILE_OBJECT = 1;
const DACL = 0x4;
const EVERYONE = 'D:P(A;OICI;FA;;;WD)';

/** Folders that ordinary users may change. */
export function exposureCases(bed: WindowsBed): readonly ContractCase[] {
  return [
    {
      name: 'a folder of a node that everyone may change is exposed, until it is made private',
      run: async () => {
        const access = windowsAccessControl(bed.native);
        const folder = join(await scratchFolder(bed), 'node');
        assert.deepEqual(await access.exposures(folder, 'node'), []);
        await mkdir(folder);
        openToEveryone(bed.native, folder);
        const [problem = ''] = await access.exposures(folder, 'node');
        assert.match(problem, /^Everyone .*node"$/);
        await access.makePrivate(folder);
        assert.deepEqual(await access.exposures(folder, 'node'), []);
      },
    },
  ];
}

function openToEveryone({ security, kernel32 }: Native, path: string): void {
  const descriptor: [bigint | null] = [null];
  const list: [bigint | null] = [null];
  assert.ok(security.ConvertStringSecurityDescriptorToSecurityDescriptorW(EVERYONE, 1, descriptor, null));
  assert.ok(descriptor[0] !== null);
  assert.ok(security.GetSecurityDescriptorDacl(descriptor[0], [0], list, [0]));
  assert.equal(security.SetNamedSecurityInfoW(path, FILE_OBJECT, DACL, null, null, list[0], null), 0);
  kernel32.LocalFree(descriptor[0]);
}
