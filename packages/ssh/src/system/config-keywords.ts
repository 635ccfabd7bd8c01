import { glob, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { fits, withoutBrackets, patternsName } from '../host-keys/known-hosts.ts';

/** As deep as ssh itself follows. */
const MOST_DEPTH = 16;

/** A line in ssh's configuration. */
interface ConfigLine {
  /** In small letters. */
  readonly keyword: string;
  readonly value: string;
  /** The patterns of each `Host` that it stands below; of a `Match` nothing is known. */
  readonly hosts: readonly (readonly string[])[];
}

/** The lines of ssh's configuration files and of what they include, whatever hosts they are for. */
export async function configLines(files: readonly string[]): Promise<readonly ConfigLine[]> {
  const found: ConfigLine[] = [];
  for (const file of files) await collect({ file, folder: dirname(file), hosts: [], depth: 0 }, found);
  return found;
}

/** Whether one of the keywords may be set for a host. Only ssh knows whether it is. */
export function mayBeSet(lines: readonly ConfigLine[], keywords: readonly string[], host: string): boolean {
  const isFor = ({ hosts }: ConfigLine): boolean =>
    hosts.every((patterns) => patternsName(patterns, host.toLowerCase()));
  const isNamedAnew = lines.some((line) => line.keyword === 'hostname' && isFor(line));
  // Then ssh goes through the files again, for the name that it has found.
  const goesTwice =
    lines.some(({ keyword, value }) => keyword === 'canonicalizehostname' && value.trim() !== 'no') ||
    (isNamedAnew && lines.some(({ keyword, value }) => keyword === 'match' && /\b(final|canonical)\b/i.test(value)));
  return lines.some((line) => keywords.includes(line.keyword) && (goesTwice || isFor(line)));
}

/** The keywords, or patterns of them, that an ssh which does not know them shall skip. */
export function ignoredKeywords(lines: readonly ConfigLine[]): readonly string[] {
  const words = lines.filter(({ keyword }) => keyword === 'ignoreunknown').flatMap(({ value }) => wordsOf(value));
  return [...new Set(words.flatMap((word) => word.split(',')))];
}

interface Place {
  readonly file: string;
  readonly folder: string;
  readonly hosts: ConfigLine['hosts'];
  readonly depth: number;
}

async function collect(place: Place, found: ConfigLine[]): Promise<void> {
  const text = await readFile(place.file, 'utf8').catch(() => '');
  let { hosts } = place;
  for (const { keyword, value } of linesOf(text)) {
    if (keyword === 'host') hosts = [...place.hosts, wordsOf(value)];
    if (keyword === 'match') ({ hosts } = place);
    found.push({ keyword, value, hosts });
    if (keyword === 'include' && place.depth < MOST_DEPTH) await collectIncluded({ ...place, hosts }, value, found);
  }
}

async function collectIncluded(place: Place, value: string, found: ConfigLine[]): Promise<void> {
  for (const pattern of wordsOf(value))
    for (const file of await includedFiles(whole(pattern, place.folder)))
      await collect({ ...place, file, depth: place.depth + 1 }, found);
}

function linesOf(text: string): readonly { readonly keyword: string; readonly value: string }[] {
  return [...text.matchAll(/^[ \t]*([A-Za-z0-9]+)(?:[ \t]*=[ \t]*|[ \t]+)(.*)$/gm)].map(([, keyword, value]) => ({
    keyword: keyword?.toLowerCase() ?? '',
    value: value ?? '',
  }));
}

function wordsOf(value: string): readonly string[] {
  return [...value.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** What is not absolute counts from the folder of the file that ssh was given. */
function whole(pattern: string, folder: string): string {
  if (pattern.startsWith('~/')) return join(homedir(), pattern.slice(2));
  return isAbsolute(pattern) ? pattern : join(folder, pattern);
}

/** A value in ssh's configuration: in quotes, without anything that ssh would replace. */
export function configValue(value: string): string {
  if (/["\r\n\0]/.test(value)) throw unusable(value);
  return `"${value.replaceAll('%', '%%')}"`;
}

/** A host as an argument of ssh: nothing that it would take for an option, or a shell for something else. */
export function hostArgument(host: string): string {
  const plain = withoutBrackets(host);
  if (!/^[\w.:][\w.:%-]*$/.test(plain)) throw unusable(host);
  return plain;
}

/** A path in a batch file of sftp. */
export function batchPath(path: string): string {
  if (/[\r\n\0]/.test(path)) throw unusable(path);
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A word in a script for sh. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function unusable(value: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot hand ${JSON.stringify(value)} to the system's ssh`, {
    hint: 'Use a host, account or path without quotes and line breaks.',
  });
}

/**
 * The files that an `Include` means, if they are there. It is a folder with a star in almost every ssh_config, which needs
 * no more than that folder's names: what Node.js looks for other patterns with takes longer to load than all else that is
 * done here.
 */
export async function includedFiles(pattern: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(pattern), basename(pattern)];
  if (/[*?[{]/.test(folder) || /[[{\\]/.test(name)) return lookFor(pattern);
  if (!/[*?]/.test(name)) return [pattern];
  const names = await readdir(folder).catch(() => []);
  return names.filter((each) => isShown(each, name) && fits(name, each)).map((each) => join(folder, each));
}

/** A star at the beginning stands for no dot. */
function isShown(name: string, pattern: string): boolean {
  return !name.startsWith('.') || pattern.startsWith('.');
}

async function lookFor(pattern: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern)) found.push(file);
  return found;
}
