/**
 * Whether a line hands the script over to a batch file and never gets it back: there is no `call` before it. One in a
 * pipe is run by a cmd.exe of its own.
 */
export function endsInBatchFile(line: string): boolean {
  const hidden = line.replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(/[&|]/g, '_'));
  return hidden
    .split(/&&?|\|\|/)
    .filter((command) => !command.includes('|'))
    .some((command) => BATCH_FILE.test(command.replace(CONDITION, '')));
}

const CONDITION = /^[\s(@]*if\s+(?:not\s+)?(?:exist\s+(?:"[^"]*"|\S+)|errorlevel\s+\d+)\s/i;
const BATCH_FILE = /^[\s(@]*(?:"[^"]+\.(?:cmd|bat)"|[^\s"()]+\.(?:cmd|bat))(?=[\s)]|$)/i;

/** What to say of it. */
export const NO_CALL = 'the commands after it do not run: it has no "call"';
