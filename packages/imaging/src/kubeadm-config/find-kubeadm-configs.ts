import { isMap, LineCounter, parseAllDocuments, type Document } from 'yaml';
import { classify } from '../cloudbase/classify.ts';
import { membersOf, type Entry } from '../cloudbase/cloud-config/entry.ts';

/** A KubeadmConfig, or the template of one, in a file that may hold other objects too. */
export interface KubeadmConfigSource {
  readonly name: string;
  readonly kind: KubeadmConfigKind;
  /** What is below `spec`, or `spec.template.spec` of a template. */
  readonly spec: Entry;
}

/** The kinds that hold one. */
export type KubeadmConfigKind = 'KubeadmConfig' | 'KubeadmConfigTemplate';

const KIND = /^["']?kind["']?\s*:\s*["']?KubeadmConfig(?:Template)?["']?\s*(?:#.*)?$/m;

/** Whether a file is about Kubernetes objects, one of which is a KubeadmConfig. */
export function holdsKubeadmConfig(text: string): boolean {
  return classify(text).kind === 'unknown' && KIND.test(text);
}

/** Every KubeadmConfig of a file, or the line in which it is no YAML. */
export function findKubeadmConfigs(text: string): readonly KubeadmConfigSource[] | { readonly line: number } {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  if ('empty' in documents) return [];
  const lineAt = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line);
  const [mistake] = documents.flatMap(({ errors }) => errors);
  if (mistake !== undefined) return { line: lineAt(mistake.pos[0]) };
  return documents.flatMap((document) => kubeadmConfigIn(document, lineAt));
}

function kubeadmConfigIn(document: Document.Parsed, lineAt: (offset: number) => number): readonly KubeadmConfigSource[] {
  if (!isMap(document.contents)) return [];
  const top = membersOf(document.contents, '', { document, lineAt });
  const kind = KINDS.find((each) => valueAt(top, 'kind') === each);
  const spec = top.find(({ key }) => key === 'spec');
  if (kind === undefined || spec === undefined) return [];
  const inner = kind === 'KubeadmConfig' ? spec : below(below(spec, 'template'), 'spec');
  const metadata = top.find(({ key }) => key === 'metadata');
  const name = String(metadata?.members.find(({ key }) => key === 'name')?.value ?? '');
  return inner === undefined ? [] : [{ name, kind, spec: inner }];
}

const KINDS: readonly KubeadmConfigKind[] = ['KubeadmConfig', 'KubeadmConfigTemplate'];

function valueAt(entries: readonly Entry[], key: string): unknown {
  return entries.find((entry) => entry.key === key)?.value;
}

function below(entry: Entry | undefined, key: string): Entry | undefined {
  return entry?.members.find((member) => member.key === key);
}
