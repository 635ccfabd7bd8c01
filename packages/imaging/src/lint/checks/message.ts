import { templateEngine } from '../../cloudbase/classify.ts';
import type { MimePart } from '../../cloudbase/mime/message.ts';
import { interpreterOfFile } from '../../cloudbase/script-kind.ts';
import { found, together, type Finding, type Outcome, type Verdict } from '../finding.ts';
import { checkCloudConfig } from './cloud-config.ts';
import { checkScript } from './script.ts';

/** The parts of a MIME message, each as the machine sees it. */
export function checkMessage(parts: readonly MimePart[]): Verdict {
  const verdicts = parts.map((part, index) => checkPart(part, `part ${index + 1}`));
  const running = parts.filter(({ type }) => RUNNING.includes(type));
  const [first] = running;
  const status =
    first === undefined || running.length < 2
      ? []
      : [
          found(
            'mime-last-status',
            { line: first.line },
            `${running.length} parts run, and only the last one's wish counts`,
          ),
        ];
  return together({ findings: status, outcomes: [] }, ...verdicts);
}

const CLOUD_CONFIG = 'text/cloud-config';
const SHELL_SCRIPT = 'text/x-shellscript';
const RUNNING = [CLOUD_CONFIG, SHELL_SCRIPT];

function checkPart(part: MimePart, number: string): Verdict {
  const subject = `${number} (${part.fileName ?? part.type})`;
  const broken = checkShape(part);
  if (broken.length > 0) return { findings: broken, outcomes: [dropped(part, subject, broken[0]?.message ?? '')] };
  const letters = checkLetters(part);
  const verdict = checkKind(part, subject);
  return together({ findings: letters, outcomes: [] }, verdict);
}

function checkKind(part: MimePart, subject: string): Verdict {
  switch (part.type) {
    case CLOUD_CONFIG:
      return checkConfigPart(part);
    case SHELL_SCRIPT:
      return checkScriptPart(part, subject);
    case 'text/part-handler':
      return {
        findings: [found('mime-part-handler', part, 'it is run as Python, as SYSTEM')],
        outcomes: [{ line: part.line, subject, fate: 'done', effect: 'loaded as Python, for parts of other kinds' }],
      };
    case 'text/x-cfninitdata':
      return {
        findings: [],
        outcomes: [{ line: part.line, subject, fate: 'done', effect: 'kept for Heat in C:\\cfn' }],
      };
    default:
      return dropPart(part, subject);
  }
}

function checkShape({ problem, type, line }: MimePart): readonly Finding[] {
  switch (problem) {
    case undefined:
      return [];
    case 'no-boundary':
      return [found('mime-boundary', { line }, `no boundary of "${type}" is found in it`)];
    case 'unterminated':
      return [found('mime-unterminated', { line }, `"${type}" has no last boundary`)];
    case 'bad-encoding':
      return [found('mime-bad-encoding', { line }, 'its content is no base64')];
  }
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

function checkConfigPart({ content, line }: MimePart): Verdict {
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
  if (/[\\/:]/.test(fileName)) {
    return refuse(part, subject, 'mime-filename-path', `"${fileName}" is a path, and would be written there`);
  }
  const interpreter = interpreterOfFile(fileName, content.text);
  if (interpreter === undefined)
    return refuse(part, subject, 'mime-extension', `"${fileName}" does not tell what runs it`);
  return checkScript(subject, content, interpreter);
}

type Refusal = 'mime-no-filename' | 'mime-filename-path' | 'mime-extension';

function refuse(part: MimePart, subject: string, rule: Refusal, message: string): Verdict {
  return { findings: [found(rule, part, message)], outcomes: [dropped(part, subject, message)] };
}

function dropPart(part: MimePart, subject: string): Verdict {
  const message = part.typed
    ? `"${part.type}" is not known, and passed over`
    : 'it has no type and is passed over: is the boundary inside of a part?';
  return {
    findings: [found('mime-part-dropped', part, message)],
    outcomes: [dropped(part, subject, 'passed over: nothing knows its type')],
  };
}

function dropped({ line }: MimePart, subject: string, effect: string): Outcome {
  return { line, subject, fate: 'dropped', effect };
}
