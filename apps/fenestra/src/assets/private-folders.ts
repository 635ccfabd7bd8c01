import { win32 } from 'node:path';

/**
 * Where an addon can be put on Windows so that no ordinary user but this one can change it, best first: Program Files,
 * which takes an administrator to write to, and the user's own profile. The environment is a hint only, believed where
 * it names what Windows itself would; `home` must come from the system, not from the environment.
 *
 * What remains: the drive is the environment's word. But the file is checked by its digest right before it is loaded,
 * so harm could be done only by who can change it in between and has set this process's environment: an administrator
 * or this very user.
 */
export function privateFolders(environment: NodeJS.ProcessEnv, home: string | undefined): readonly string[] {
  const own = home === undefined ? [] : [localFolder(environment['LOCALAPPDATA'], home)];
  return [programFiles(environment), ...own].map((folder) => win32.join(folder, 'Fenestra', 'native'));
}

function programFiles({ SystemDrive = '', ProgramFiles = '' }: NodeJS.ProcessEnv): string {
  const expected = `${SystemDrive}\\Program Files`;
  const believable = /^[a-z]:$/i.test(SystemDrive) && ProgramFiles.toLowerCase() === expected.toLowerCase();
  return believable ? ProgramFiles : 'C:\\Program Files';
}

function localFolder(told: string | undefined, home: string): string {
  return told !== undefined && isBelow(told, home) ? told : win32.join(home, 'AppData', 'Local');
}

function isBelow(path: string, folder: string): boolean {
  if (!win32.isAbsolute(path)) return false;
  const relative = win32.relative(folder.toLowerCase(), path.toLowerCase());
  return relative !== '' && !win32.isAbsolute(relative) && relative.split('\\', 1)[0] !== '..';
}
