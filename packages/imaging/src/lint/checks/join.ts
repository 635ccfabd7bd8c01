import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { decodeContent } from '../../cloudbase/file-content.ts';
import { runcmdLine } from '../../cloudbase/runcmd-script.ts';
import { found, type Finding, type Verdict } from '../finding.ts';
import { memberOf } from './entries.ts';
import { checkJoinConfiguration, restartsKubelet } from './join-configuration.ts';
import { SENTINEL } from './sentinel.ts';
import { checkWrittenSecrets } from './written-secrets.ts';

/** What joining means: the configuration of kubeadm among the files, and what is said when it is done. */
export function checkJoin(entries: readonly Entry[]): Verdict {
  const files = entries.filter(({ key }) => key === 'write_files').flatMap(({ members }) => members);
  const commands = entries.filter(({ key }) => key === 'runcmd').flatMap(({ members }) => members);
  return {
    findings: [
      ...files.flatMap((file) => checkConfiguration(file, commands)),
      ...files.flatMap((file) => checkWrittenSecrets(file, commands)),
      ...checkSentinel(files, commands),
    ],
    outcomes: [],
  };
}

function checkConfiguration(file: Entry, commands: readonly Entry[]): readonly Finding[] {
  return checkJoinConfiguration(contentOf(file), {
    placeOf: (word) => ({ line: lineOf(file, word), path: file.path }),
    restartsKubelet: commands.some(({ value }) => restartsKubelet(runcmdLine(value) ?? '')),
  });
}

/** The line of a word in a content that stands there line by line; of any other, the line of the file's entry. */
function lineOf(file: Entry, word: string): number {
  const content = memberOf(file, 'content');
  const isPlain =
    memberOf(file, 'encoding') === undefined && typeof content?.value === 'string' && content.value.includes('\n');
  const index = isPlain
    ? contentOf(file)
        .split('\n')
        .findIndex((line) => line.includes(word))
    : -1;
  return content === undefined || index === -1 ? file.line : content.line + 1 + index;
}

/** What is written of a file, as text. */
function contentOf(file: Entry): string {
  const content = memberOf(file, 'content')?.value;
  const encoding = memberOf(file, 'encoding')?.value;
  if (typeof content !== 'string') return '';
  return decodeContent(content, typeof encoding === 'string' ? encoding : undefined).bytes.toString('utf8');
}

function checkSentinel(files: readonly Entry[], commands: readonly Entry[]): readonly Finding[] {
  const join = commands.find(({ value }) => /\bkubeadm(\.exe)?\s+join\b/.test(runcmdLine(value) ?? ''));
  if (join === undefined) return [];
  const all = [...commands.map(({ value }) => runcmdLine(value) ?? ''), ...files.map(contentOf)];
  if (all.some((text) => text.includes(SENTINEL))) return [];
  return [found('sentinel-missing', join, `nothing writes "${SENTINEL}"`)];
}
