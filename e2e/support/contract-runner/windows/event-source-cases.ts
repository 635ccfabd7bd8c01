import assert from 'node:assert/strict';
import type { ContractCase } from '@fenestra/platform/contract';
import { eventLog, scmServices } from '@fenestra/platform-windows';
import { putValue, showValue } from './registry-tool.ts';
import { soon, type WindowsBed, withService } from './windows-bed.ts';

const LOG = String.raw`HKLM\SYSTEM\CurrentControlSet\Services\EventLog\Application`;
const THEIRS = { type: 'REG_EXPAND_SZ', text: String.raw`C:\theirs\messages.dll` };

/** The name under which a service speaks in the event log. */
export function eventSourceCases(bed: WindowsBed): readonly ContractCase[] {
  const { native } = bed;
  return [
    {
      name: 'an event source comes with its service, takes an entry, and goes with it',
      run: () =>
        withService(bed, {}, async ({ name }) => {
          assert.match((await messageFile(name)) ?? '', /\\EventCreate\.exe$/);
          eventLog(native, name).write('information', 1, 'An entry of a test');
          await scmServices(native).remove(name, soon());
          assert.equal(await messageFile(name), undefined);
        }),
    },
    {
      name: 'an event source that someone else registered is not forgotten',
      run: async () => {
        await putValue(`${LOG}\\windows-theirs`, 'EventMessageFile', THEIRS);
        eventLog(native, 'windows-theirs').remove();
        assert.equal(await messageFile('windows-theirs'), THEIRS.text);
      },
    },
  ];
}

async function messageFile(source: string): Promise<string | undefined> {
  return (await showValue(`${LOG}\\${source}`, 'EventMessageFile'))?.text;
}
