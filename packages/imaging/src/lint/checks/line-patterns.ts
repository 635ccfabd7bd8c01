/** Whether a line runs a batch file without `call`, which ends the script. In a pipe another cmd.exe runs it. */
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

/** The command that begins here, or what PowerShell is asked to do by another shell. */
const BEGIN =
  /(?<=^|[;{}&|])[\t ]*(?:(?:[^\s;{}&|]{0,260}\\)?(?:powershell|pwsh)(?:\.exe)?[\t ][^\r\n"']{0,200}["']?[\t &{]{0,20})?/;
const BY_POWERSHELL = /Restart-Computer\b|(?:Rename|Add|Remove)-Computer\b[^\r\n;|]{0,500}[\t ]-Restart\b(?!:\$false)/;
/** Without `/t` it waits for half a minute. */
const BY_SHUTDOWN =
  /(?:[^\s;{}&|]{0,260}\\)?shutdown(?:\.exe)?(?=[\t ][^\r\n]{0,500}[-/][rgs]\b)(?![^\r\n]{0,500}[-/]t[\t :]+(?:[6-9]\d|\d{3,})\b)/;

/** A restart within a minute; one that is put off longer leaves the time to note what was done. */
export const RESTART = new RegExp(`${BEGIN.source}(?:${BY_POWERSHELL.source}|${BY_SHUTDOWN.source})`, 'im');

/** What to say of it. */
export const RESTART_MESSAGE = 'the machine may restart before it is noted that all this was run';
