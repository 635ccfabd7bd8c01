import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

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
    closeSync(file);
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    size = 0;
  };
  return {
    append(text) {
      const bytes = Buffer.from(text);
      if (size > 0 && size + bytes.length > maxBytes) rotate();
      size += bytes.length;
      writeAll(file, bytes);
    },
    close: () => closeSync(file),
  };
}

/** A full disk must not bring down the supervisor, and with it the service. */
function writeAll(file: number, bytes: Uint8Array): void {
  try {
    writeSync(file, bytes);
  } catch {
    // The line is lost; there is no other place to say so.
  }
}
