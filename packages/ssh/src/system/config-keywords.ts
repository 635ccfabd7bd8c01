import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fits } from '../host-keys/host-pattern.ts';
import { includedFiles } from './included-files.ts';

/** As deep as ssh itself follows. */
const MOST_DEPTH = 16;

/** A line in ssh's configuration. */
export interface ConfigLine {
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
  const isFor = ({ hosts }: ConfigLine): boolean => hosts.every((patterns) => names(patterns, host));
  const isNamedAnew = lines.some((line) => line.keyword === 'hostname' && isFor(line));
  // Then ssh goes through the files once more, for the name that it has found.
  const goesTwice =
    lines.some(({ keyword, value }) => keyword === 'canonicalizehostname' && value.trim() !== 'no') ||
    (isNamedAnew && lines.some(({ keyword, value }) => keyword === 'match' && /\b(final|canonical)\b/i.test(value)));
  return lines.some((line) => keywords.includes(line.keyword) && (goesTwice || isFor(line)));
}

/** The keywords, or patterns of them, that an ssh which does not know them shall pass over. */
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

function names(patterns: readonly string[], host: string): boolean {
  const [name, wanted] = [host.toLowerCase(), patterns.map((pattern) => pattern.toLowerCase())];
  if (wanted.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1), name))) return false;
  return wanted.some((pattern) => fits(pattern, name));
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
