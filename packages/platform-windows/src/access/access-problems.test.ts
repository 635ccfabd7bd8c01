import { expect, test } from 'vitest';
import { accessProblems, parentProblems, openToUsers } from './access-problems.ts';

const problemsIn = (sddl: string, parentPrivate = false) => accessProblems(sddl, () => parentPrivate);

test('a protected folder of SYSTEM and Administrators is private', () => {
  expect(problemsIn('O:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)')).toEqual([]);
});

test('a usual folder under the root of the disk tells everything that is wrong with it', () => {
  expect(problemsIn('O:BAD:AI(A;ID;FA;;;BA)(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)')).toEqual([
    'it is owned by Administrators, not by SYSTEM',
    'it inherits rights from its parent folder',
    'Users can read it',
    'Authenticated Users can change it',
  ]);
});

test('a file made in a private folder is private by inheritance', () => {
  expect(problemsIn('O:BAD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)', true)).toEqual([]);
});

test('a file in a private folder that someone else owns is not private', () => {
  expect(problemsIn('O:S-1-5-21-1-2-3-1000D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)', true)).toEqual([
    'it is owned by S-1-5-21-1-2-3-1000, not by SYSTEM',
  ]);
});

test('no access list lets everybody in', () => {
  expect(problemsIn('O:SYD:NO_ACCESS_CONTROL')).toEqual(['Everyone has full control: there is no access list']);
});

test('an administrator without full control is a problem, for no one could repair the folder', () => {
  expect(problemsIn('O:SYD:P(A;;FA;;;SY)(A;;FR;;;BA)')).toEqual(['Administrators lacks full control']);
});

test.each([
  ['FA', 'Everyone has full control'],
  ['FW', 'Everyone can change it'],
  ['GR', 'Everyone can read it'],
  ['SD', 'Everyone can change it'],
  ['RC', 'Everyone has some rights'],
])('rights %s read as "%s"', (rights, words) => {
  expect(problemsIn(`O:SYD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;${rights};;;WD)`)).toEqual([words]);
});

test('a denial for others does no harm', () => {
  expect(problemsIn('O:SYD:P(D;;FA;;;BG)(A;;FA;;;SY)(A;;FA;;;BA)')).toEqual([]);
});

const TRUSTED_INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464';
const SYSTEM_DRIVE = `O:${TRUSTED_INSTALLER}D:PAI(A;;LC;;;AU)(A;OICIIO;SDGXGWGR;;;AU)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)`;
const DATA_DRIVE = 'O:BAD:AI(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1301bf;;;AU)(A;OICI;0x1200a9;;;BU)';

test.each([
  ['C:\\', SYSTEM_DRIVE],
  ['D:\\', DATA_DRIVE],
  ['C:\\ProgramData', 'O:SYD:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;CI;DCLCRPCR;;;BU)'],
  [
    'C:\\Program Files',
    `O:${TRUSTED_INSTALLER}D:PAI(A;;FA;;;${TRUSTED_INSTALLER})(A;;0x1301bf;;;BA)(A;;0x1200a9;;;BU)`,
  ],
  ['C:\\var', 'O:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'],
])('the usual rights of "%s" are not problem for what is below', (folder, sddl) => {
  expect(parentProblems(folder, sddl)).toEqual([]);
});

test('a folder made by an administrator below C:\\ inherits rights with which users can rename it', () => {
  const sddl = 'O:BAD:AI(A;ID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)';
  expect(parentProblems('C:\\etc', sddl)).toEqual([
    'Authenticated Users can rename or delete the folder "C:\\etc" above it',
  ]);
});

test.each([
  ['FA', 'Everyone has full control of the folder "C:\\etc" above it'],
  ['GA', 'Everyone has full control of the folder "C:\\etc" above it'],
  ['SD', 'Everyone can rename or delete the folder "C:\\etc" above it'],
  ['DT', 'Everyone can replace what is in the folder "C:\\etc" above it'],
  ['WD', 'Everyone can change the rights of the folder "C:\\etc" above it'],
  ['WO', 'Everyone can change the rights of the folder "C:\\etc" above it'],
])('rights %s on a parent read as "%s"', (rights, words) => {
  expect(parentProblems('C:\\etc', `O:SYD:P(A;;FA;;;SY)(A;;${rights};;;WD)`)).toEqual([words]);
});

test('a drive whose rights users can change is a problem, although it cannot be renamed', () => {
  expect(parentProblems('D:\\', 'O:BAD:(A;;SDDTWD;;;BU)')).toEqual([
    'Users can replace what is in the folder "D:\\" above it',
    'Users can change the rights of the folder "D:\\" above it',
  ]);
});

test('an ordinary owner is a problem, for an owner can change the rights', () => {
  expect(parentProblems('C:\\etc', 'O:S-1-5-21-1-2-3-1000D:P(A;;FA;;;SY)')).toEqual([
    'the folder "C:\\etc" above it is owned by S-1-5-21-1-2-3-1000',
  ]);
});

test('a parent without an access list is open to everybody', () => {
  expect(parentProblems('C:\\etc', 'O:SYD:NO_ACCESS_CONTROL')).toEqual([
    'Everyone has full control of the folder "C:\\etc" above it: there is no access list',
  ]);
});

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
