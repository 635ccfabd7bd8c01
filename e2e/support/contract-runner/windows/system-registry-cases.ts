import assert from 'node:assert/strict';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsSystemSetup } from '@fenestra/platform-windows';
import { putValue, showValue } from './registry-tool.ts';
import type { WindowsBed } from './windows-bed.ts';

const OURS = String.raw`SOFTWARE\Fenestra contract`;
const DEEP = String.raw`${OURS}\one\two`;

/** The registry as the steps of an image use it. */
export function systemRegistryCases({ native }: WindowsBed): readonly ContractCase[] {
  const { registry } = windowsSystemSetup(native);
  return [
    {
      name: 'a value of the registry is written in a key that was not there, read back, and gone without a trace',
      async run() {
        const missing = await registry.missingKeys(DEEP);
        assert.deepEqual(missing, [OURS, String.raw`${OURS}\one`, DEEP]);
        assert.equal(await registry.read(DEEP, 'Number'), undefined);
        await registry.write(DEEP, 'Number', { type: 'number', value: 80 });
        assert.deepEqual(await registry.read(DEEP, 'Number'), { type: 'number', value: 80 });
        assert.equal((await showValue(`HKLM\\${DEEP}`, 'Number'))?.type, 'REG_DWORD');
        await registry.removeValue(DEEP, 'Number');
        await registry.removeValue(DEEP, 'Number');
        for (const key of missing.toReversed()) await registry.removeKey(key);
        assert.deepEqual(await registry.missingKeys(DEEP), missing);
      },
    },
    {
      name: 'a value of a type that no one uses here comes back as it was',
      async run() {
        await putValue(`HKLM\\${OURS}`, 'Path', { type: 'REG_EXPAND_SZ', text: '%SystemRoot%' });
        const found = await registry.read(OURS, 'Path');
        assert.ok(found?.type === 'other');
        await registry.write(OURS, 'Path', { type: 'text', value: 'other' });
        await registry.write(OURS, 'Path', found);
        assert.deepEqual(await showValue(`HKLM\\${OURS}`, 'Path'), { type: 'REG_EXPAND_SZ', text: '%SystemRoot%' });
        await registry.removeValue(OURS, 'Path');
        await registry.removeKey(OURS);
      },
    },
  ];
}
