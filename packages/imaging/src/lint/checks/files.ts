import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { decodeContent, fileMode, isReadOnly, type DecodedContent } from '../../cloudbase/file-content.ts';
import { found, together, type Finding, type Verdict } from '../finding.ts';
import { isList, isMapping, memberOf, wrongType } from './entries.ts';

/** `write_files`: each file, and what keeps the rest from being written. */
export function checkFiles(entry: Entry): Verdict {
  const { value, line } = entry;
  if (!isList(value) && !isMapping(value)) return wrongType(entry, 'a list of files');
  const items = isList(value) ? entry.members : [entry];
  if (items.length > 0) return together(...items.map(checkFile));
  return { findings: [], outcomes: [{ line, subject: 'write_files', fate: 'done', effect: 'writes nothing' }] };
}

function checkFile(item: Entry): Verdict {
  if (!isMapping(item.value)) return wrongType({ ...item, key: item.path }, 'a mapping with "path" and "content"');
  const path = memberOf(item, 'path');
  const content = memberOf(item, 'content');
  if (path === undefined || content === undefined) return incomplete(item, path === undefined ? 'path' : 'content');
  if (typeof path.value !== 'string') return wrongType(path, 'a text');
  if (typeof content.value !== 'string') return contentType(content, path.value);
  return written(item, path.value, content.value);
}

function incomplete({ line, path }: Entry, missing: string): Verdict {
  return {
    findings: [found('file-incomplete', { line, path }, `it has no "${missing}"`)],
    outcomes: [{ line, subject: path, fate: 'dropped', effect: `not written: it has no "${missing}"` }],
  };
}

function contentType({ line, path }: Entry, name: string): Verdict {
  return {
    findings: [
      found(
        'file-content-type',
        { line, path },
        `the content of "${name}" is no text: it and all files after it are not written`,
      ),
    ],
    outcomes: [{ line, subject: name, fate: 'fails', effect: 'not written, and no file after it either' }],
  };
}

function written(item: Entry, path: string, content: string): Verdict {
  const encoding = memberOf(item, 'encoding')?.value;
  const decoded = decodeContent(content, typeof encoding === 'string' ? encoding : undefined);
  const place = windowsPath(path);
  const append = memberOf(item, 'append')?.value === true;
  const effect = `${append ? 'appended to' : 'written to'} ${place}, ${decoded.bytes.length} bytes, with the rights of its folder`;
  return {
    findings: [
      ...checkPath(item, path),
      ...checkEncoding(item, path, decoded.problem),
      ...checkMode(item, path),
      ...checkIgnored(item),
    ],
    outcomes: [
      { line: item.line, subject: 'write_files', fate: decoded.problem === undefined ? 'done' : 'partly', effect },
    ],
  };
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

const PROBLEMS: Readonly<Record<NonNullable<DecodedContent['problem']>, string>> = {
  'unknown-encoding': 'its encoding is not known',
  'bad-base64': 'its content is no base64',
  'bad-gzip': 'its content is no gzip',
};

function checkEncoding(item: Entry, path: string, problem: DecodedContent['problem']): readonly Finding[] {
  if (problem === undefined) return [];
  const message = `"${path}" is written as it stands: ${PROBLEMS[problem]}`;
  return [found('file-encoding', { line: item.line, path: `${item.path}.encoding` }, message)];
}

function checkMode(item: Entry, path: string): readonly Finding[] {
  const entry = memberOf(item, 'permissions');
  if (entry === undefined || entry.value === null) return [];
  const { value, line } = entry;
  if (isReadOnly(fileMode(value))) {
    return [found('file-read-only', { line, path: entry.path }, `"${path}" is read-only, so a second run stops there`)];
  }
  const readable = typeof value === 'number' || (typeof value === 'string' && /^\s*(0[oO])?[0-7]+\s*$/.test(value));
  return readable
    ? []
    : [found('file-permissions', { line, path: entry.path }, 'it is no octal number, and counts as 0644')];
}

const USED = ['path', 'content', 'encoding', 'permissions', 'append'];

function checkIgnored(item: Entry): readonly Finding[] {
  return item.members
    .filter(({ key }) => !USED.includes(key))
    .map(({ key, line, path }) => found('file-key-ignored', { line, path }, `"${key}" does nothing`));
}
