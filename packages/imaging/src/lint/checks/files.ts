import { type Entry, isList, isMapping, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import { isTruthy } from '../../cloudbase/cloud-config/python.ts';
import { decodeContent, type DecodedContent, isReadOnly, readMode } from '../../cloudbase/file-content.ts';
import { together, type Finding, found, type Verdict, wrongType, unusedKeys } from '../finding.ts';

/** `write_files`: each file, and what keeps the rest from being written. */
export function checkFiles(entry: Entry): Verdict {
  const { value, line } = entry;
  if (!isList(value) && !isMapping(value)) return wrongType(entry, 'a list of files');
  const items = isList(value) ? entry.members : [entry];
  if (items.length === 0) {
    return { findings: [], outcomes: [{ line, subject: 'write_files', fate: 'done', effect: 'writes nothing' }] };
  }
  const verdicts = items.map(checkFile);
  const last = verdicts.findIndex(({ outcomes }) => outcomes.some(({ fate }) => fate === 'fails'));
  if (last === -1) return together(...verdicts);
  return together(...verdicts.slice(0, last + 1), ...items.slice(last + 1).map(notReached));
}

function notReached({ line }: Entry): Verdict {
  const effect = 'not written: a file before it fails';
  return { findings: [], outcomes: [{ line, subject: 'write_files', fate: 'dropped', effect }] };
}

function checkFile(item: Entry): Verdict {
  if (!isMapping(item.value)) return noFile(item);
  const path = memberOf(item, 'path');
  const content = memberOf(item, 'content');
  if (path === undefined || content === undefined) return incomplete(item, path === undefined ? 'path' : 'content');
  if (typeof path.value !== 'string') return fails(path, '"path" is not a string');
  if (!isContent(content.value)) return fails(content, `the content of "${path.value}" is not a string`);
  const encoding = memberOf(item, 'encoding');
  if (encoding !== undefined && !isEncoding(encoding.value)) return fails(encoding, '"encoding" is not a string');
  return written(item, path.value, decodeContent(content.value, encodingOf(item)));
}

/** A text is skipped as a file without its keys; what else is not a mapping cannot even be asked for them. */
function noFile(item: Entry): Verdict {
  const { value } = item;
  const isPassed =
    typeof value === 'string' || (isList(value) && !value.some((each) => isList(each) || isMapping(each)));
  return isPassed ? incomplete(item, 'path') : fails(item, 'it is not a mapping with "path" and "content"');
}

/** `!!binary` makes bytes of base64, which are as good as a text. */
function isContent(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function isEncoding(value: unknown): boolean {
  return typeof value === 'string' || !isTruthy(value);
}

function encodingOf(item: Entry): string | undefined {
  const value = memberOf(item, 'encoding')?.value;
  return typeof value === 'string' ? value : undefined;
}

function incomplete({ line, path }: Entry, missing: string): Verdict {
  return {
    findings: [found('file-incomplete', { line, path }, `it has no "${missing}"`)],
    outcomes: [{ line, subject: path, fate: 'dropped', effect: `not written: it has no "${missing}"` }],
  };
}

function fails({ line, path }: Entry, reason: string): Verdict {
  const message = `${reason}: it and all files after it are not written`;
  return {
    findings: [found('file-content-type', { line, path }, message)],
    outcomes: [{ line, subject: 'write_files', fate: 'fails', effect: 'not written, and no file after it either' }],
  };
}

function written(item: Entry, path: string, { bytes, problem }: DecodedContent): Verdict {
  const findings = [
    ...checkPath(item, path),
    ...checkEncoding(item, path, problem),
    ...checkMode(item, path),
    ...unusedKeys(item, USED, 'file-key-ignored'),
  ];
  const append = isTruthy(memberOf(item, 'append')?.value);
  const effect = `${append ? 'appended to' : 'written to'} ${windowsPath(path)}, ${bytes.length} bytes, with the rights of its folder`;
  const place = { line: item.line, subject: 'write_files' };
  if (problem !== 'damaged-gzip') {
    return { findings, outcomes: [{ ...place, fate: problem === undefined ? 'done' : 'partly', effect }] };
  }
  return { findings, outcomes: [{ ...place, fate: 'fails', effect: 'not written, and no file after it either' }] };
}

/** A path without a drive is one of the drive the service runs on. */
function windowsPath(path: string): string {
  const backslashed = path.replaceAll('/', '\\');
  return backslashed.startsWith('\\') && !backslashed.startsWith('\\\\') ? `C:${backslashed}` : backslashed;
}

function checkPath({ line, path: at }: Entry, path: string): readonly Finding[] {
  if (/^([A-Za-z]:)?[\\/]/.test(path)) return [];
  return [found('file-relative-path', { line, path: `${at}.path` }, `"${path}" lands in some folder`)];
}

const AS_IT_STANDS = 'is written unchanged';
const PROBLEMS: Readonly<Record<NonNullable<DecodedContent['problem']>, string>> = {
  'unknown-encoding': `${AS_IT_STANDS}: its encoding is not known`,
  'bad-base64': `${AS_IT_STANDS}: its content is not base64`,
  'bad-gzip': `${AS_IT_STANDS}: its content is not gzip`,
  'damaged-gzip': 'and all files after it are not written: its gzip is damaged or truncated',
};

function checkEncoding(item: Entry, path: string, problem: DecodedContent['problem']): readonly Finding[] {
  if (problem === undefined) return [];
  const { line } = memberOf(item, 'encoding') ?? item;
  return [found('file-encoding', { line, path: `${item.path}.encoding` }, `"${path}" ${PROBLEMS[problem]}`)];
}

function checkMode(item: Entry, path: string): readonly Finding[] {
  const entry = memberOf(item, 'permissions');
  if (entry === undefined || entry.value === null) return [];
  const place = { line: entry.line, path: entry.path };
  const mode = readMode(entry.value);
  if (mode === undefined) return [found('file-permissions', place, 'it is not an octal number, and counts as 0644')];
  return isReadOnly(mode)
    ? [found('file-read-only', place, `"${path}" is read-only, so a second run stops there`)]
    : [];
}

const USED = ['path', 'content', 'encoding', 'permissions', 'append'];
