import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { decodeContent } from '../../cloudbase/file-content.ts';
import { runcmdLine } from '../../cloudbase/runcmd-script.ts';
import { found, type Finding, type Verdict } from '../finding.ts';
import { memberOf } from './entries.ts';
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

const Arguments = z.union([
  z.record(z.string(), z.unknown()).transform((map) => Object.keys(map)),
  z.array(z.object({ name: z.string() })).transform((list) => list.map(({ name }) => name)),
]);

const Configuration = z.object({
  kind: z.enum(['JoinConfiguration', 'InitConfiguration']),
  nodeRegistration: z.object({
    criSocket: z.string().optional(),
    kubeletExtraArgs: Arguments.optional(),
  }),
});

function checkConfiguration(file: Entry, commands: readonly Entry[]): readonly Finding[] {
  const text = contentOf(file);
  if (!/^kind:/m.test(text)) return [];
  return documentsOf(text).flatMap((document) => {
    const parsed = Configuration.safeParse(document);
    return parsed.success ? checkRegistration(parsed.data.nodeRegistration, file, commands) : [];
  });
}

type Registration = z.infer<typeof Configuration>['nodeRegistration'];

function checkRegistration(
  { criSocket = '', kubeletExtraArgs = [] }: Registration,
  file: Entry,
  commands: readonly Entry[],
): readonly Finding[] {
  const restarts = commands.some(({ value }) => /RestartKubelet|\bnssm\b/i.test(runcmdLine(value) ?? ''));
  const place = (word: string) => ({ line: lineOf(file, word), path: file.path });
  return [
    ...(kubeletExtraArgs.includes('register-with-taints')
      ? [
          found(
            'taint-lost',
            place('register-with-taints'),
            '"register-with-taints" takes the place of all other taints',
          ),
        ]
      : []),
    ...(kubeletExtraArgs.length > 0 && !restarts
      ? [
          found(
            'kubelet-args-lost',
            place('kubeletExtraArgs'),
            `the kubelet may not see "${kubeletExtraArgs.join('", "')}"`,
          ),
        ]
      : []),
    ...(/^(unix:|\/)/.test(criSocket)
      ? [found('cri-socket', place('criSocket'), `"${criSocket}" is no pipe of Windows`)]
      : []),
  ];
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

function documentsOf(text: string): readonly unknown[] {
  try {
    return parseAllDocuments(text, { logLevel: 'silent' }).map((document): unknown => document.toJS());
  } catch {
    // What is no YAML is no configuration of kubeadm either.
    return [];
  }
}

/** What is written of a file, as text. */
function contentOf(file: Entry): string {
  const content = memberOf(file, 'content')?.value;
  const encoding = memberOf(file, 'encoding')?.value;
  if (typeof content !== 'string') return '';
  return decodeContent(content, typeof encoding === 'string' ? encoding : undefined).bytes.toString('utf8');
}

const SENTINEL = 'bootstrap-success.complete';

function checkSentinel(files: readonly Entry[], commands: readonly Entry[]): readonly Finding[] {
  const join = commands.find(({ value }) => /\bkubeadm(\.exe)?\s+join\b/.test(runcmdLine(value) ?? ''));
  if (join === undefined) return [];
  const all = [...commands.map(({ value }) => runcmdLine(value) ?? ''), ...files.map(contentOf)];
  if (all.some((text) => text.includes(SENTINEL))) return [];
  return [found('sentinel-missing', join, `nothing writes "${SENTINEL}"`)];
}
