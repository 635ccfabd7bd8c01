import { type Ec2Block, ec2Blocks, type Interpreter } from '../../cloudbase/classify.ts';
import { lineOfOffset, partOf, type PlacedText } from '../../cloudbase/placed-text.ts';
import { type Finding, found, type Outcome, type Verdict } from '../finding.ts';
import { checkJoinConfiguration, restartsKubelet, SENTINEL } from './join.ts';
import { endsInBatchFile, NO_CALL, RESTART, RESTART_MESSAGE } from './line-patterns.ts';

/** A text that stands in a script of PowerShell line by line. */
export interface HereString {
  readonly text: string;
  /** Where its first line begins in the script. */
  readonly offset: number;
}

function hereStrings(script: string): readonly HereString[] {
  const strings: HereString[] = [];
  const opening = /@(['"])[\t ]*\r?\n/g;
  for (let match = opening.exec(script); match !== null; match = opening.exec(script)) {
    // The end must begin a line, and may be the very first one.
    const end = script.indexOf(`\n${match[1]}@`, opening.lastIndex - 1);
    if (end === -1) break;
    strings.push({ text: script.slice(opening.lastIndex, end), offset: opening.lastIndex });
    opening.lastIndex = end + 1;
  }
  return strings;
}

const RUNNERS: Readonly<Record<Interpreter, string>> = {
  cmd: 'cmd.exe',
  python: 'the python of the PATH',
  bash: 'the bash of the PATH',
  powershell: '64-bit Windows PowerShell, with -ExecutionPolicy RemoteSigned',
  'powershell-x86': '32-bit Windows PowerShell, with -ExecutionPolicy RemoteSigned',
  program: 'Windows itself: it is a program',
  ec2: 'blocks of EC2',
};

/** A script that is the user-data, or a part of it. */
export function checkScript(subject: string, script: PlacedText, interpreter: Interpreter): Verdict {
  if (interpreter === 'ec2') return checkBlocks(subject, script);
  return {
    findings: [
      ...checkRunner(script, interpreter),
      ...checkLetters(script),
      ...checkExit(script),
      ...checkRestart(script),
      ...checkCode(script, interpreter),
    ],
    outcomes: [outcome(subject, script.lineAt(1), interpreter)],
  };
}

function outcome(subject: string, line: number, interpreter: Interpreter): Outcome {
  return { line, subject, fate: 'done', effect: `run once by ${RUNNERS[interpreter]}` };
}

function checkRunner({ lineAt }: PlacedText, interpreter: Interpreter): readonly Finding[] {
  const place = { line: lineAt(1) };
  if (interpreter === 'bash') return [found('needs-bash', place, 'bash runs it')];
  if (interpreter === 'python') return [found('needs-python', place, 'python runs it')];
  return [];
}

function checkLetters({ text, lineAt }: PlacedText): readonly Finding[] {
  const at = text.search(/[^\t\n\r\u0020-\u007e]/);
  if (at === -1) return [];
  return [found('script-non-ascii', { line: lineAt(lineOfOffset(text, at)) }, 'non-ASCII characters are altered')];
}

function checkExit({ text, lineAt }: PlacedText): readonly Finding[] {
  const match = /^[ \t]*exit[ \t]+(?:\/b[ \t]+)?([1-9]\d{0,3})\b/im.exec(text);
  const code = Number(match?.[1] ?? 0);
  if (match === null || (code >= 1001 && code <= 1003)) return [];
  const line = lineAt(lineOfOffset(text, match.index));
  return [found('script-exit-ignored', { line }, `exit code ${code} counts as done`)];
}

function checkRestart({ text, lineAt }: PlacedText): readonly Finding[] {
  const at = text.search(RESTART);
  if (at === -1) return [];
  return [found('restart-inside', { line: lineAt(lineOfOffset(text, at)) }, RESTART_MESSAGE)];
}

function checkCode(script: PlacedText, interpreter: Interpreter): readonly Finding[] {
  return [...(interpreter === 'cmd' ? checkCalls(script) : []), ...checkScriptJoin(script, interpreter)];
}

function checkCalls({ text, lineAt }: PlacedText): readonly Finding[] {
  const lines = text.split(/\r?\n/);
  const last = lines.findLastIndex((line) => !/^\s*(?:@?rem\b|::|$)/i.test(line));
  const index = lines.slice(0, Math.max(0, last)).findIndex((line) => endsInBatchFile(line));
  return index === -1 ? [] : [found('runcmd-call', { line: lineAt(index + 1) }, NO_CALL)];
}

function checkBlocks(subject: string, script: PlacedText): Verdict {
  const { text, lineAt } = script;
  const blocks = ec2Blocks(text);
  const place = { line: lineAt(lineOfOffset(text, text.search(/<\/?(?:script|powershell)>/))) };
  if (blocks.length === 0) {
    const dropped: Outcome = { ...place, subject, fate: 'dropped', effect: 'no whole block is in it, nothing runs' };
    return { findings: [found('ec2-block-open', place, 'no block has both its tags')], outcomes: [dropped] };
  }
  const lines = blocks.map(({ offset }) => lineAt(lineOfOffset(text, offset)));
  return {
    findings: [
      ...(blocks.length > 1
        ? [found('ec2-order', place, `${blocks.length} blocks run, in the order of their kind`)]
        : []),
      ...checkLetters(script),
      ...checkRestart(script),
      ...blocks.flatMap((block) => checkCode(codeOf(block, script), block.interpreter)),
    ],
    outcomes: blocks.map(({ interpreter }, index) => outcome(`block ${index + 1}`, lines[index] ?? 1, interpreter)),
  };
}

/** A block without its tags, at its place in the script. */
function codeOf({ code, offset }: Ec2Block, script: PlacedText): PlacedText {
  return partOf(script, code, lineOfOffset(script.text, script.text.indexOf(code, offset)));
}

/** What joining means in a script that does it by itself. */
function checkScriptJoin(script: PlacedText, interpreter: Interpreter): readonly Finding[] {
  if (interpreter === 'cmd') return checkSentinel(script);
  if (interpreter !== 'powershell' && interpreter !== 'powershell-x86') return [];
  const configurations = hereStrings(script.text).flatMap((each) => checkHereString(each, script));
  return [...configurations, ...checkSentinel(script)];
}

function checkHereString({ text, offset }: HereString, script: PlacedText): readonly Finding[] {
  return checkJoinConfiguration(text, {
    placeOf: (word) => placeOf(script, offset + Math.max(0, text.indexOf(word))),
    restartsKubelet: restartsKubelet(script.text),
  });
}

/** A line that runs it; one that only speaks of it begins otherwise. */
const JOIN = /^(?![\t ]*(?:#|::|@?rem\b|@?echo\b|Write-\w+))[^\r\n]*\bkubeadm(?:\.exe)?["']?[\t ]+join\b/im;

function checkSentinel(script: PlacedText): readonly Finding[] {
  const at = script.text.search(JOIN);
  if (at === -1 || script.text.includes(SENTINEL)) return [];
  return [found('sentinel-missing', placeOf(script, at), `nothing writes "${SENTINEL}"`)];
}

function placeOf({ text, lineAt }: PlacedText, offset: number): { readonly line: number } {
  return { line: lineAt(lineOfOffset(text, offset)) };
}
