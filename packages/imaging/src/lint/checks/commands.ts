import { type Entry, isList, isMapping } from '../../cloudbase/cloud-config/entry.ts';
import { isTruthy, pythonText } from '../../cloudbase/cloud-config/python.ts';
import {
  exitOfRuncmd,
  exitOfScript,
  LONGEST_CMD_LINE,
  runcmdLine,
  runcmdScript,
} from '../../cloudbase/file-content.ts';
import { type Finding, found, type Outcome, type Verdict, wrongType } from '../finding.ts';
import { endsInBatchFile, NO_CALL, RESTART, RESTART_MESSAGE } from './line-patterns.ts';

/** `runcmd`: one script for cmd.exe, in which every line can spoil the others. */
export function checkCommands(entry: Entry): Verdict {
  const { value, line } = entry;
  if (!isTruthy(value)) return { findings: [], outcomes: [outcome(line, 'runs nothing')] };
  if (!isList(value)) return noList(entry);
  const broken = entry.members.filter(({ value: item }) => runcmdLine(item) === undefined);
  if (broken.length > 0) return notMade(entry, broken);
  const commands = entry.members.map(toCommand);
  const size = Buffer.byteLength(runcmdScript(commands.map(({ text }) => text)));
  const effect = `${commands.length} command(s) run once, as one script of cmd.exe of ${size} bytes that no failure stops`;
  return {
    findings: [
      ...checkGoesOn(entry, commands),
      ...commands.flatMap((command, index) => checkCommand(command, index === commands.length - 1)),
    ],
    outcomes: [outcome(line, effect)],
  };
}

interface CommandLine {
  readonly line: number;
  readonly path: string;
  readonly text: string;
  /** The words of a list, each by itself. */
  readonly words: readonly Word[] | undefined;
}

interface Word {
  readonly text: string;
  readonly source: string;
}

function toCommand({ value, line, path, members }: Entry): CommandLine {
  const words = isList(value) ? members.map(toWord) : undefined;
  const text = words?.map((word) => word.text).join(' ') ?? runcmdLine(value) ?? '';
  return { line, path, text, words };
}

function toWord({ value, source }: Entry): Word {
  const text = pythonText(value, source);
  return { text, source: typeof value === 'string' ? text : (source ?? text) };
}

/** A text is gone through letter by letter, and a mapping key by key: each is run as a command. */
function noList(entry: Entry): Verdict {
  const { findings, outcomes } = wrongType(entry, 'a list of commands');
  if (typeof entry.value !== 'string' && !isMapping(entry.value)) return { findings, outcomes };
  const each = typeof entry.value === 'string' ? 'letter' : 'key';
  return { findings, outcomes: [{ ...outcome(entry.line, `each ${each} of it is run as a command`), fate: 'partly' }] };
}

function outcome(line: number, effect: string): Outcome {
  return { line, subject: 'runcmd', fate: 'done', effect };
}

function notMade({ line }: Entry, broken: readonly Entry[]): Verdict {
  return {
    findings: broken.map((item) => found('runcmd-item', item, 'it is neither a text nor a list, so no command runs')),
    outcomes: [{ line, subject: 'runcmd', fate: 'fails', effect: 'no command runs: one of them is not a string' }],
  };
}

/** A command is safe if its own failure ends the script, or if the next one asks how it went. */
function checkGoesOn({ line, path }: Entry, commands: readonly CommandLine[]): readonly Finding[] {
  const working = commands.filter(({ text }) => !HARMLESS.test(text));
  const careless = working.filter(({ text }, index) => {
    const next = working[index + 1];
    return next !== undefined && !STOPS.test(text) && !ASKS.test(next.text);
  });
  if (careless.length > 0) {
    const message = `${careless.length} command(s) can fail and the next one runs all the same`;
    return [found('runcmd-goes-on', { line, path }, message)];
  }
  return hidesFailure(commands) ? [found('runcmd-goes-on', { line, path }, HIDDEN)] : [];
}

/** Says something, or takes something away: it matters to no other command. */
const HARMLESS = /^\s*(@?rem\b|::|@?echo\b|del\b|erase\b|$)/i;
/** Is no command at all, so that the code of the one before it stays. */
const COMMENT = /^\s*(@?rem\b|::|$)/i;
const STOPS = /\|\|\s*exit\b/i;
const ASKS = /^\s*if\s+(not\s+)?(exist|errorlevel|%errorlevel%)/i;
const ASKS_AND_STOPS = /^\s*if\b.*\bexit\b/i;
const HIDDEN = 'the last line hides the exit code of the command before it: a failure, or a reboot request';

/** The exit code of the script is that of its last line, and a harmless one always succeeds. */
function hidesFailure(commands: readonly CommandLine[]): boolean {
  const lines = commands.filter(({ text }) => !COMMENT.test(text));
  const work = lines.findLast(({ text }) => !HARMLESS.test(text));
  if (work === undefined || work === lines.at(-1)) return false;
  return !STOPS.test(work.text) && !ASKS_AND_STOPS.test(work.text);
}

type LineCheck = (command: CommandLine, isLast: boolean) => readonly [Finding['rule'], string] | undefined;

const CHECKS: readonly LineCheck[] = [
  ({ text }, isLast) => (!isLast && endsInBatchFile(text) ? ['runcmd-call', NO_CALL] : undefined),
  ({ text }) => exitCodeMessage(text),
  ({ text }, isLast) =>
    !isLast && /^\s*exit\b/i.test(text) ? ['runcmd-exit', 'the commands after it do not run'] : undefined,
  ({ text }) => (hasLostPercent(text) ? ['runcmd-percent', 'a "%" in it is read as a variable'] : undefined),
  ({ text }) => (/[\r\n]./.test(text) ? ['runcmd-lines', 'each of its lines is a separate command'] : undefined),
  ({ words }) =>
    words?.some(({ text }) => /[\s&|<>^()"]/.test(text) || text === '') === true
      ? ['runcmd-list', 'a word in it has blanks or special characters and is not quoted']
      : undefined,
  ({ words }) => changedWord(words?.find(({ text, source }) => text !== source)),
  ({ text }, isLast) =>
    !isLast && /(^|[^^])(\^\^)*\^\s*$/.test(text) ? ['runcmd-caret', 'the next command becomes part of it'] : undefined,
  ({ text }) => (hasLooseQuotes(text) ? ['runcmd-quotes', 'single quotes do not keep it together'] : undefined),
  ({ text }) => (/\P{ASCII}/u.test(text) ? ['runcmd-non-ascii', 'its characters are altered'] : undefined),
  ({ text }) =>
    text.split(/\r?\n/).some((each) => each.length > LONGEST_CMD_LINE)
      ? ['runcmd-long-line', `it is longer than ${LONGEST_CMD_LINE} letters`]
      : undefined,
  ({ text }) => (RESTART.test(text) ? ['restart-inside', RESTART_MESSAGE] : undefined),
  ({ text }) => (POSIX.test(text) ? ['runcmd-posix', 'it is a command of Linux'] : undefined),
  ({ text }) => (/^\s*(\S*\\)?nssm(\.exe)?\s/i.test(text) ? ['nssm-missing', 'nssm is not in every image'] : undefined),
];

function checkCommand(command: CommandLine, isLast: boolean): readonly Finding[] {
  return CHECKS.flatMap((check) => {
    const complaint = check(command, isLast);
    return complaint === undefined ? [] : [found(complaint[0], command, complaint[1])];
  });
}

function changedWord(word: Word | undefined): readonly [Finding['rule'], string] | undefined {
  return word === undefined
    ? undefined
    : ['runcmd-word', `"${word.source}" is not a string and becomes "${word.text}"`];
}

/** Single quotes around text that cmd.exe splits. A call of PowerShell may contain them. */
function hasLooseQuotes(text: string): boolean {
  if (/\b(?:powershell|pwsh)(?:\.exe)?\b/i.test(text)) return false;
  const quoted = text.replaceAll(/"[^"]*"/g, '').matchAll(/'([^']*)'/g);
  return [...quoted].some(([, inside = '']) => /[\s&|<>]/.test(inside));
}

const POSIX =
  /^\s*(?:sudo|systemctl|export|apt-get|apt|yum|chmod|chown|ln|touch|rm|cp|mv|cat|sed|modprobe|sysctl|swapoff|mkdir\s+-p)(?:\s|$)|^\s*(?:\/bin|\/usr)\//;

/** `%%` is a percent sign, `%NAME%` a variable that was meant; all else is lost. */
function hasLostPercent(text: string): boolean {
  return text.replaceAll(/%%|%[A-Za-z_][\w()]*%/g, '').includes('%');
}

/** A code that means something else to a script that is the user-data itself. */
function exitCodeMessage(text: string): readonly [Finding['rule'], string] | undefined {
  const code = Number(/\bexit\s+(?:\/b\s+)?(\d{4})\b/i.exec(text)?.[1] ?? 0);
  const { reboots, runsAgain } = exitOfRuncmd(code);
  if (runsAgain === exitOfScript(code).runsAgain) return undefined;
  return ['runcmd-exit-code', reboots ? 'it reboots, and runs everything again' : 'it is not run again'];
}
