import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** What every method brings to every target. */
export interface Payload {
  /** The 60 MB executable. */
  readonly program: string;
  readonly bytes: number;
  /** The last bytes of the executable, which nothing else has. */
  readonly mark: string;
  /** A folder with the five small files. */
  readonly files: string;
  /** All six in one archive. */
  readonly archive: string;
  /** The small files in one. */
  readonly smallArchive: string;
}

const MEGABYTE = 1024 * 1024;
const PROGRAM_BYTES = 60 * MEGABYTE;
/** In bytes, twice as many letters. */
const MARK_BYTES = 32;
const SMALL_FILES = 5;
const SMALL_BYTES = 2000;

/**
 * Makes the files. The executable is a shell that is as large as an executable of ours was: what follows its end is from
 * the Node.js runtime, so it compresses as such programs do. It takes our calls for scripts in the target's home.
 */
export function makePayload(folder: string): Payload {
  const files = join(folder, 'files');
  mkdirSync(files);
  for (let index = 0; index < SMALL_FILES; index += 1)
    writeFileSync(join(files, `setting-${index}.yaml`), `key: ${index}\n`.padEnd(SMALL_BYTES, '#'));
  const program = join(folder, 'keadm');
  const mark = randomBytes(MARK_BYTES).toString('hex');
  copyFileSync('/bin/dash', program);
  fillUp(program, process.execPath, PROGRAM_BYTES - mark.length);
  appendFileSync(program, mark);
  chmodSync(program, 0o755);
  const [archive, smallArchive] = [join(folder, 'payload.tar'), join(folder, 'files.tar')];
  execFileSync('tar', ['-cf', archive, '-C', folder, 'keadm', 'files']);
  execFileSync('tar', ['-cf', smallArchive, '-C', folder, 'files']);
  return { program, bytes: PROGRAM_BYTES, mark, files, archive, smallArchive };
}

/** Piece by piece: what this process holds in memory, it has to hand on for a moment to each controller that it starts. */
function fillUp(path: string, from: string, bytes: number): void {
  const [file, source] = [openSync(path, 'a'), openSync(from, 'r')];
  const piece = Buffer.alloc(MEGABYTE);
  for (let left = bytes - statSync(path).size; left > 0; left -= piece.length)
    writeSync(file, piece, 0, readSync(source, piece, 0, Math.min(left, piece.length), null));
  for (const open of [file, source]) closeSync(open);
}
