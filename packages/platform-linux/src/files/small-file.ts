import { closeSync, fstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { systemCodeOf } from '@fenestra/kernel';

/**
 * Replaces a private file of less than one block of the disk in one move. On a full disk it overwrites the content in
 * place and fills up with blanks, which needs no new block; so the file must have some content by then.
 */
export function replaceSmallFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (!['ENOSPC', 'EDQUOT'].includes(systemCodeOf(error))) throw error;
    overwrite(path, text);
  }
}

function overwrite(path: string, text: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, text.padEnd(fstatSync(file).size), 0);
  } finally {
    closeSync(file);
  }
}
