import { expect, test } from 'vitest';
import { openToUsers } from './open-to-users.ts';

test.each([
  ["a user's own file", 'O:S-1-5-21-1-2-3-1000D:(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;S-1-5-21-1-2-3-1000)', []],
  ['a program of the system', 'O:SYD:PAI(A;;FA;;;SY)(A;;0x1200a9;;;BU)(A;OICIIO;GA;;;CO)', []],
  [
    'a script in a folder below C:\\',
    'O:BAD:AI(A;ID;FA;;;BA)(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)',
    ['Authenticated Users can change it: "C:\\x.ps1"'],
  ],
  ['a file that everybody may write', 'O:BAD:(A;;FA;;;WD)', ['Everyone has full control: "C:\\x.ps1"']],
  ['no list', 'O:SYD:NO_ACCESS_CONTROL', ['Everyone has full control of "C:\\x.ps1": there is no access list']],
])('%s', (_, sddl, problems) => {
  expect(openToUsers('C:\\x.ps1', sddl)).toEqual(problems);
});
