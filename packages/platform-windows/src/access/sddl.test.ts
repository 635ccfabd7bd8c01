import { expect, test } from 'vitest';
import { parseSddl } from './sddl.ts';

test('parseSddl reads owner, protection and entries', () => {
  expect(parseSddl('O:SYG:SYD:PAI(A;OICI;FA;;;SY)(D;ID;0x1200A9;;;S-1-5-32-545)')).toEqual({
    owner: 'SY',
    protected: true,
    hasList: true,
    entries: [
      { kind: 'allow', flags: ['OI', 'CI'], rights: ['FA'], trustee: 'SY' },
      { kind: 'deny', flags: ['ID'], rights: ['0x1200a9'], trustee: 'S-1-5-32-545' },
    ],
  });
});

test('parseSddl reads an owner that is a SID', () => {
  expect(parseSddl('O:S-1-5-21-1-2-3-1000G:DUD:AI').owner).toBe('S-1-5-21-1-2-3-1000');
});

test('parseSddl does not take "AI" for protection', () => {
  expect(parseSddl('D:AI(A;;FA;;;SY)').protected).toBe(false);
});

test('parseSddl tells an empty list, which lets no one in, from no list, which lets everybody in', () => {
  expect(parseSddl('D:P')).toMatchObject({ hasList: true, entries: [] });
  expect(parseSddl('D:NO_ACCESS_CONTROL')).toMatchObject({ hasList: false });
  expect(parseSddl('O:BA')).toMatchObject({ hasList: false });
});
