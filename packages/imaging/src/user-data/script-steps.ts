import { powershellText } from '@fenestra/platform';
import { COMMANDS_END, SCRIPT_BASE } from './script-base.ts';

/** PowerShell: a step that is done once, whatever happens to the machine in between. */
export function step(name: string, ...lines: readonly string[]): string {
  return `    Invoke-Step '${name}' {\n${lines.map((line) => `        ${line}\n`).join('')}    }\n`;
}

/** A command for cmd.exe as a step. */
export function commandStep(when: 'before' | 'after', command: string, index: number): string {
  return step(`${when}-${index + 1}`, `Invoke-Command-Line (${powershellText(command)})`);
}

/** A script that only runs commands; it ends with the first that fails, and says so by its exit code. */
export function commandsScript(
  when: 'before' | 'after',
  commands: readonly string[],
  first: readonly string[],
): string {
  const steps = [
    ...first.map((line, index) => step(`${when}-setting-${index + 1}`, line)),
    ...commands.map((command, index) => commandStep(when, command, index)),
  ];
  return `${SCRIPT_BASE}
$code = 0
try {
    Protect-Folder $work
    Protect-Folder $private
${steps.join('')}${COMMANDS_END}`;
}
