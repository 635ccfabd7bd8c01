import { powershellText } from './powershell-text.ts';
import { COMMANDS_END, SCRIPT_BASE } from './script-base.ts';

/** PowerShell: a stage that is done once, whatever happens to the machine in between. */
export function stage(name: string, ...lines: readonly string[]): string {
  return `    Invoke-Stage '${name}' {\n${lines.map((line) => `        ${line}\n`).join('')}    }\n`;
}

/** A command for cmd.exe as a stage. */
export function commandStage(when: 'before' | 'after', command: string, index: number): string {
  return stage(`${when}-${index + 1}`, `Invoke-Command-Line (${powershellText(command)})`);
}

/** A script that only runs commands; it ends with the first that fails, and says so by its exit code. */
export function commandsScript(
  when: 'before' | 'after',
  commands: readonly string[],
  first: readonly string[],
): string {
  const stages = [
    ...first.map((line, index) => stage(`${when}-setting-${index + 1}`, line)),
    ...commands.map((command, index) => commandStage(when, command, index)),
  ];
  return `${SCRIPT_BASE}
$code = 0
try {
    Protect-Folder $work
    Protect-Folder $private
${stages.join('')}${COMMANDS_END}`;
}
