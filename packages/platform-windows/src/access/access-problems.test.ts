import { expect, test } from 'vitest';
import { accessProblems } from './access-problems.ts';

const problems = (sddl: string, parentPrivate = false) => accessProblems(sddl, () => parentPrivate);

test('a protected folder of SYSTEM and Administrators is private', () => {
  expect(problems('O:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)')).toEqual([]);
});

test('a usual folder under the root of the disk tells everything that is wrong with it', () => {
  expect(problems('O:BAD:AI(A;ID;FA;;;BA)(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)')).toEqual([
    'it is owned by Administrators, not by SYSTEM',
    'it inherits rights from its parent folder',
    'Users can read it',
    'Authenticated Users can change it',
  ]);
});

test('a file made in a private folder is private by inheritance', () => {
  expect(problems('O:BAD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)', true)).toEqual([]);
});

test('a file in a private folder that somebody else owns is not private', () => {
  expect(problems('O:S-1-5-21-1-2-3-1000D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)', true)).toEqual([
    'it is owned by S-1-5-21-1-2-3-1000, not by SYSTEM',
  ]);
});

test('no access list lets everybody in', () => {
  expect(problems('O:SYD:NO_ACCESS_CONTROL')).toEqual(['Everyone has full control: there is no access list']);
});

test('an administrator without full control is a problem, for nobody could repair the folder', () => {
  expect(problems('O:SYD:P(A;;FA;;;SY)(A;;FR;;;BA)')).toEqual(['Administrators lacks full control']);
});

test.each([
  ['FA', 'Everyone has full control'],
  ['FW', 'Everyone can change it'],
  ['GR', 'Everyone can read it'],
  ['SD', 'Everyone can change it'],
  ['RC', 'Everyone has some rights'],
])('rights %s read as "%s"', (rights, words) => {
  expect(problems(`O:SYD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;${rights};;;WD)`)).toEqual([words]);
});

test('a denial for others does no harm', () => {
  expect(problems('O:SYD:P(D;;FA;;;BG)(A;;FA;;;SY)(A;;FA;;;BA)')).toEqual([]);
});
