import { expect, test } from 'vitest';
import { privateFolders } from './private-folders.ts';

const HOME = 'C:\\Users\\anna';
const USUAL = ['C:\\Program Files\\Fenestra\\native', 'C:\\Users\\anna\\AppData\\Local\\Fenestra\\native'];

test('privateFolders takes the folders of an ordinary environment', () => {
  const environment = {
    SystemDrive: 'C:',
    ProgramFiles: 'C:\\Program Files',
    LOCALAPPDATA: 'C:\\Users\\anna\\AppData\\Local',
  };
  expect(privateFolders(environment, HOME)).toEqual(USUAL);
});

test('privateFolders follows a system that is on another drive', () => {
  const environment = { SystemDrive: 'e:', ProgramFiles: 'E:\\Program Files' };
  expect(privateFolders(environment, 'E:\\Users\\anna')[0]).toBe('E:\\Program Files\\Fenestra\\native');
});

test.each([
  {},
  { ProgramFiles: 'D:\\Program Files' },
  { SystemDrive: 'C:', ProgramFiles: 'C:\\Users\\Public' },
  { SystemDrive: 'C:', ProgramFiles: 'C:\\Program Files\\..\\Users\\Public' },
  { SystemDrive: 'C:', ProgramFiles: 'Program Files' },
  { SystemDrive: '\\\\server\\share', ProgramFiles: '\\\\server\\share\\Program Files' },
  { SystemDrive: 'C:\\Users\\Public', ProgramFiles: 'C:\\Users\\Public\\Program Files' },
  { LOCALAPPDATA: 'C:\\Users\\Public' },
  { LOCALAPPDATA: 'C:\\Users\\anna' },
  { LOCALAPPDATA: 'C:\\Users\\anna\\..\\Public' },
  { LOCALAPPDATA: 'C:\\Users\\anna2\\AppData\\Local' },
  { LOCALAPPDATA: 'AppData\\Local' },
  { LOCALAPPDATA: 'D:\\AppData\\Local' },
])('privateFolders is not led astray by %j', (environment) => {
  expect(privateFolders(environment, HOME)).toEqual(USUAL);
});

test('privateFolders takes the place within the profile that the system moved local data to', () => {
  expect(privateFolders({ LOCALAPPDATA: 'c:\\users\\ANNA\\Local' }, HOME)[1]).toBe(
    'c:\\users\\ANNA\\Local\\Fenestra\\native',
  );
});

test('privateFolders leaves the profile out for an account that has none', () => {
  expect(privateFolders({ LOCALAPPDATA: 'C:\\Users\\Public' }, undefined)).toEqual(USUAL.slice(0, 1));
});
