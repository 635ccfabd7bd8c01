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
      ...files.flatMap(checkConfiguration),
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

function checkConfiguration(file: Entry): readonly Finding[] {
  const text = contentOf(file);
  if (!/^kind:/m.test(text)) return [];
  return documentsOf(text).flatMap((document) => {
    const parsed = Configuration.safeParse(document);
    return parsed.success ? checkRegistration(parsed.data.nodeRegistration, file) : [];
  });
}

type Registration = z.infer<typeof Configuration>['nodeRegistration'];

function checkRegistration({ criSocket = '', kubeletExtraArgs = [] }: Registration, { line, path }: Entry): readonly Finding[] {
  return [
    ...(kubeletExtraArgs.includes('register-with-taints')
      ? [found('taint-lost', { line, path }, '"register-with-taints" takes the place of all other taints')]
      : []),
    ...(/^(unix:|\/)/.test(criSocket) ? [found('cri-socket', { line, path }, `"${criSocket}" is no pipe of Windows`)] : []),
  ];
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
