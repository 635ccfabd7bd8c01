import { closeSync, fstatSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import { systemCodeOf } from '@fenestra/kernel';

const MAX_BYTES = 10 * 1024 * 1024;

/** A log that is never larger than twice its limit: when it is full, it becomes `<name>.1` and a new one begins. */
export interface ServiceLog {
  append(text: string | Uint8Array): void;
  close(): void;
}

/** Opens a log to append to, private to its owner. */
export function openServiceLog(path: string, maxBytes = MAX_BYTES): ServiceLog {
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  const rotate = (): void => {
    try {
      setAside(path);
      const next = openSync(path, 'a', 0o600);
      closeSync(file);
      file = next;
    } catch {
      // The old lines can go nowhere, and a log that fills the disk does more harm than one that lacks them.
      attempt(() => ftruncateSync(file));
    }
    size = 0;
  };
  return {
    append(text) {
      const bytes = Buffer.from(text);
      if (size > 0 && size + bytes.length > maxBytes) rotate();
      size += bytes.length;
      attempt(() => writeSync(file, bytes));
    },
    close: () => closeSync(file),
  };
}

/** A log that someone has deleted, or that the last attempt has moved, is out of the way already. */
function setAside(path: string): void {
  try {
    renameSync(path, `${path}.1`);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

/** A full disk must not bring down the supervisor, and with it the service. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The line is lost; there is no other place to say so.
  }
}
