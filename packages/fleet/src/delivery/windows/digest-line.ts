import { windowsLine } from './call-program.ts';

/** Has Windows' own program make the digest of a file. Not every machine has it. */
export function digestLine(path: string): string {
  return windowsLine(['certutil', '-hashfile', path, 'SHA256']);
}

/** The digest on a line of its own; older versions of Windows put blanks between its bytes. */
export function digestIn(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.replaceAll(/\s/g, '').toLowerCase());
  return lines.find((line) => /^[0-9a-f]{64}$/.test(line));
}
