import assert from 'node:assert/strict';
import type { ContractCase } from '@fenestra/platform/contract';
import { machinePath } from '@fenestra/platform-windows';
import { putValue, showValue, type ShownValue } from './registry-tool.ts';
import type { WindowsBed } from './windows-bed.ts';

const KEY = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment`;
const MANY = Array.from({ length: 300 }, (_, index) => String.raw`C:\contract\folder-${index}`);
const OURS = String.raw`C:\contract\edge node`;

/** The search path of the machine, with more entries than old limits allowed. */
export function machinePathCases({ native }: WindowsBed): readonly ContractCase[] {
  const path = machinePath(native);
  return [
    {
      name: "a folder is added to the machine's PATH of 300 more entries once, and removed without a trace",
      run: () =>
        withLongPath(async (long) => {
          const entries = path.entries().length;
          assert.ok(entries > MANY.length, `${entries} entries`);
          assert.equal(path.add(OURS), true);
          assert.deepEqual(await shownPath(), { ...long, text: `${long.text};${OURS}` });
          assert.equal(path.add(`${OURS.toUpperCase()}\\`), false);
          assert.equal(path.entries().length, entries + 1);
          assert.equal(path.remove(OURS.toLowerCase()), true);
          assert.equal(path.remove(OURS), false);
          assert.deepEqual(await shownPath(), long);
        }),
    },
  ];
}

async function withLongPath(use: (long: ShownValue) => Promise<void>): Promise<void> {
  const before = await shownPath();
  const long = { type: before.type, text: [before.text, ...MANY].join(';') };
  await putValue(KEY, 'Path', long);
  try {
    await use(long);
  } finally {
    await putValue(KEY, 'Path', before);
  }
}

async function shownPath(): Promise<ShownValue> {
  const shown = await showValue(KEY, 'Path');
  assert.ok(shown, 'the machine has no PATH');
  return shown;
}
