import type { Terminal } from '../platform.ts';

/** Prints lines for as long as somebody reads them: `keadm logs -f | head` has to end by itself. */
export async function printLines(
  terminal: Pick<Terminal, 'out' | 'outClosed'>,
  lines: AsyncIterable<string>,
  form: (line: string) => string,
): Promise<void> {
  for await (const line of lines) {
    terminal.out(`${form(line)}\n`);
    if (terminal.outClosed === true) return;
  }
}
