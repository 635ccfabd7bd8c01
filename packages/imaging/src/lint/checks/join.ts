import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { type Entry, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import { decodeContent, runcmdLine } from '../../cloudbase/file-content.ts';
import { type Finding, found, type Place, type Verdict } from '../finding.ts';
import { checkWrittenSecrets } from './secrets.ts';

/** The file by which Cluster API knows that a machine has joined. */
export const SENTINEL = 'bootstrap-success.complete';

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

/** Where a configuration stands, and what is done around it. */
export interface JoinSurroundings {
  /** Where a word of it is. */
  readonly placeOf: (word: string) => Place;
  /** Whether the kubelet service is created again after the join. */
  readonly restartsKubelet: boolean;
}

const Arguments = z.union([
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((map) => Object.keys(map)),
  ),
  z.pipe(
    z.array(z.object({ name: z.string() })),
    z.transform((list) => list.map(({ name }) => name)),
  ),
]);

const Configuration = z.object({
  kind: z.enum(['JoinConfiguration', 'InitConfiguration']),
  nodeRegistration: z.object({
    criSocket: z.optional(z.string()),
    kubeletExtraArgs: z.optional(Arguments),
  }),
});

/** What a configuration of kubeadm asks for that does not come about on Windows; nothing if the text is none. */
export function checkJoinConfiguration(text: string, surroundings: JoinSurroundings): readonly Finding[] {
  if (!/^kind:/m.test(text)) return [];
  return documentsOf(text).flatMap((document) => {
    const parsed = Configuration.safeParse(document);
    return parsed.success ? checkRegistration(parsed.data.nodeRegistration, surroundings) : [];
  });
}

/** A command that creates the kubelet service again. nssm does not: it fails where that is needed. */
export function restartsKubelet(command: string): boolean {
  return /RestartKubelet/i.test(command);
}

type Registration = z.infer<typeof Configuration>['nodeRegistration'];

function checkRegistration(
  { criSocket = '', kubeletExtraArgs = [] }: Registration,
  { placeOf, restartsKubelet: restarts }: JoinSurroundings,
): readonly Finding[] {
  return [
    ...(kubeletExtraArgs.includes('register-with-taints')
      ? [found('taint-lost', placeOf('register-with-taints'), '"register-with-taints" replaces all other taints')]
      : []),
    ...(kubeletExtraArgs.length > 0 && !restarts
      ? [
          found(
            'kubelet-args-lost',
            placeOf('kubeletExtraArgs'),
            `the kubelet may not see "${kubeletExtraArgs.join('", "')}"`,
          ),
        ]
      : []),
    ...(/^(unix:|\/)/.test(criSocket)
      ? [found('cri-socket', placeOf('criSocket'), `"${criSocket}" is not a named pipe of Windows`)]
      : []),
  ];
}

function documentsOf(text: string): readonly unknown[] {
  try {
    return parseAllDocuments(text, { logLevel: 'silent' }).map((document): unknown => document.toJS());
  } catch {
    // What is not YAML is not a configuration of kubeadm either.
    return [];
  }
}
