import { interpreterOfFile, interpreterOfText, templateEngine } from '../../cloudbase/classify.ts';
import type { MimePart } from '../../cloudbase/mime/message.ts';
import { type Finding, found, type Outcome, together, type Verdict } from '../finding.ts';
import { checkCloudConfig } from './cloud-config.ts';
import { checkScript } from './script.ts';

/** The parts of a MIME message, each as the machine sees it. */
export function checkMessage(parts: readonly MimePart[]): Verdict {
  const handled = parts.some(({ type }) => type === PART_HANDLER);
  const verdicts = parts.map((part, index) => checkPart(part, `part ${index + 1}`, handled));
  return together({ findings: checkStatus(parts), outcomes: [] }, ...verdicts);
}

/** A part of any kind makes the wish of the one before it forgotten. */
function checkStatus(parts: readonly MimePart[]): readonly Finding[] {
  const leaves = parts.filter(({ problem }) => problem === undefined || problem === 'bad-encoding');
  const early = leaves.slice(0, -1).find(({ type }) => RUNNING.includes(type));
  if (early === undefined) return [];
  const message = 'its exit code is overwritten by the next part, unless it requests a reboot';
  return [found('mime-last-status', { line: early.line }, message)];
}

const CLOUD_CONFIG = 'text/cloud-config';
const SHELL_SCRIPT = 'text/x-shellscript';
const HEAT = 'text/x-cfninitdata';
const PART_HANDLER = 'text/part-handler';
const RUNNING = [CLOUD_CONFIG, SHELL_SCRIPT, HEAT];

function checkPart(part: MimePart, number: string, handled: boolean): Verdict {
  const subject = `${number} (${part.fileName ?? part.type})`;
  const broken = checkShape(part);
  if (broken !== undefined) return { findings: [broken], outcomes: [dropped(part, subject, broken.message)] };
  const letters = part.problem === undefined ? checkLetters(part) : checkEncoding(part);
  const verdict = checkKind(part, subject, handled);
  return together({ findings: letters, outcomes: [] }, verdict);
}

function checkKind(part: MimePart, subject: string, handled: boolean): Verdict {
  switch (part.type) {
    case CLOUD_CONFIG:
      return checkConfigPart(part);
    case SHELL_SCRIPT:
      return checkScriptPart(part, subject);
    case PART_HANDLER:
      return checkHandler(part, subject);
    case HEAT:
      return checkHeat(part, subject);
    default:
      return handled ? handOver(part, subject) : dropPart(part, subject);
  }
}

function checkHandler(part: MimePart, subject: string): Verdict {
  if (!isNamed(part)) return refuse(part, subject, 'mime-no-filename', 'it has no file name');
  return {
    findings: [found('mime-part-handler', part, 'it is run as Python, as SYSTEM')],
    outcomes: [{ line: part.line, subject, fate: 'done', effect: 'loaded as Python, for parts of other kinds' }],
  };
}

/** Heat's file of commands is run, too. */
function checkHeat(part: MimePart, subject: string): Verdict {
  const { fileName, content, line } = part;
  if (!isNamed(part)) return refuse(part, subject, 'mime-no-filename', 'it has no file name');
  const kept: Outcome = { line, subject, fate: 'done', effect: 'kept for Heat in C:\\cfn' };
  const interpreter = fileName === 'cfn-userdata' ? interpreterOfText(content.text) : undefined;
  const run = interpreter === undefined ? NOTHING : checkScript(subject, content, interpreter);
  return together({ findings: [], outcomes: [kept] }, run);
}

function isNamed({ fileName }: MimePart): boolean {
  return fileName !== undefined && fileName !== '';
}

const NOTHING: Verdict = { findings: [], outcomes: [] };

function handOver(part: MimePart, subject: string): Verdict {
  const message = `"${part.type}" is ignored, unless the handler in another part accepts it`;
  return {
    findings: [found('mime-part-dropped', part, message, 'warning')],
    outcomes: [{ line: part.line, subject, fate: 'partly', effect: 'left to the part handler' }],
  };
}

/** A container in which there is nothing to go through. */
function checkShape({ problem, type, line }: MimePart): Finding | undefined {
  if (problem === 'no-boundary') return found('mime-boundary', { line }, `no boundary of "${type}" is found in it`);
  if (problem === 'unterminated') return found('mime-unterminated', { line }, `"${type}" has no last boundary`);
  return undefined;
}

function checkEncoding({ line }: MimePart): readonly Finding[] {
  return [found('mime-bad-encoding', { line }, 'its content is not base64, and is used unchanged')];
}

function checkLetters({ content, encoding }: MimePart): readonly Finding[] {
  const isEncoded = encoding === 'base64' || encoding === 'quoted-printable';
  const lines = content.text.split('\n');
  const index = isEncoded ? -1 : lines.findIndex((line) => /\P{ASCII}/u.test(line));
  if (index === -1) return [];
  return [
    found('mime-non-ascii', { line: content.lineAt(index + 1) }, 'letters beyond ASCII in a part without encoding'),
  ];
}

function checkConfigPart(part: MimePart): Verdict {
  const { content, line } = part;
  if (part.problem === undefined && checkLetters(part).length > 0) {
    const effect = 'cannot be loaded: its characters have become bytes that are not text';
    return { findings: [], outcomes: [{ line, subject: 'cloud-config', fate: 'fails', effect }] };
  }
  const isTemplate = templateEngine(content.text) !== undefined;
  const findings = isTemplate
    ? [found('template-in-part', { line: content.lineAt(1) }, 'its braces stay as they are')]
    : [];
  return together({ findings, outcomes: [] }, checkCloudConfig(content, { line, inPart: true }));
}

function checkScriptPart(part: MimePart, subject: string): Verdict {
  const { fileName, content } = part;
  if (fileName === undefined || fileName === '')
    return refuse(part, subject, 'mime-no-filename', 'it has no file name');
  const interpreter = interpreterOfFile(fileName, content.text);
  if (interpreter === undefined)
    return refuse(part, subject, 'mime-extension', `"${fileName}" does not show which program runs it`);
  return together(
    { findings: checkFileName(part, fileName), outcomes: [] },
    checkScript(subject, content, interpreter),
  );
}

function checkFileName(part: MimePart, fileName: string): readonly Finding[] {
  if (!/[\\/:]/.test(fileName)) return [];
  return [found('mime-filename-path', part, `"${fileName}" is a path: it is written and run there, and removed`)];
}

type Refusal = 'mime-no-filename' | 'mime-extension';

function refuse(part: MimePart, subject: string, rule: Refusal, message: string): Verdict {
  return { findings: [found(rule, part, message)], outcomes: [dropped(part, subject, message)] };
}

function dropPart(part: MimePart, subject: string): Verdict {
  const message = part.typed
    ? `"${part.type}" is unknown and ignored`
    : 'it has no type and is ignored: is the boundary inside a part?';
  return {
    findings: [found('mime-part-dropped', part, message)],
    outcomes: [dropped(part, subject, 'ignored: its type is unknown')],
  };
}

function dropped({ line }: MimePart, subject: string, effect: string): Outcome {
  return { line, subject, fate: 'dropped', effect };
}
