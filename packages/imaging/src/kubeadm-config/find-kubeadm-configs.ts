import { isMap, LineCounter, parseAllDocuments, type Document } from 'yaml';
import { classify } from '../cloudbase/classify.ts';
import { membersOf, scalarText, type Entry } from '../cloudbase/cloud-config/entry.ts';

/** A KubeadmConfig, or the template of one, in a file that may hold other objects too. */
export interface KubeadmConfigSource {
  readonly name: string;
  readonly kind: KubeadmConfigKind;
  /** What is below `spec`, or `spec.template.spec` of a template. */
  readonly spec: Entry;
}

/** The kinds that hold one. */
export type KubeadmConfigKind = 'KubeadmConfig' | 'KubeadmConfigTemplate';

const KIND =
  /^[\t ]*(?:- )?["']?kind["']?[\t ]*:[\t ]*["']?KubeadmConfig(?:Template)?["']?(?:[\t ]*,)?[\t ]*(?:#.*)?$/m;

/** Whether a file is about Kubernetes objects, one of which may be a KubeadmConfig. */
export function holdsKubeadmConfig(text: string): boolean {
  return classify(text).kind === 'unknown' && KIND.test(text);
}

/** Every KubeadmConfig of a file, or the line in which it is no YAML. */
export function findKubeadmConfigs(text: string): readonly KubeadmConfigSource[] | { readonly line: number } {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line);
  try {
    const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
    if ('empty' in documents) return [];
    const [mistake] = documents.flatMap(({ errors }) => errors);
    if (mistake !== undefined) return { line: lineAt(mistake.pos[0]) };
    return documents.flatMap((document) => kubeadmConfigsIn(topOf(document, lineAt)));
  } catch {
    // Brackets without end exhaust the stack, and aliases of aliases the patience.
    return { line: 1 };
  }
}

function topOf(document: Document.Parsed, lineAt: (offset: number) => number): readonly Entry[] {
  return isMap(document.contents) ? membersOf(document.contents, '', { document, lineAt }) : [];
}

/** A list of objects holds them one level deeper. */
function kubeadmConfigsIn(top: readonly Entry[]): readonly KubeadmConfigSource[] {
  const items = top.find(({ key }) => key === 'items');
  if (items !== undefined) return items.members.flatMap(({ members }) => kubeadmConfigsIn(members));
  const kind = KINDS.find((each) => top.find(({ key }) => key === 'kind')?.value === each);
  const spec = top.find(({ key }) => key === 'spec');
  if (kind === undefined || spec === undefined) return [];
  const inner = kind === 'KubeadmConfig' ? spec : below(below(spec, 'template'), 'spec');
  const metadata = top.find(({ key }) => key === 'metadata');
  return inner === undefined ? [] : [{ name: scalarText(below(metadata, 'name')?.value), kind, spec: inner }];
}

const KINDS: readonly KubeadmConfigKind[] = ['KubeadmConfig', 'KubeadmConfigTemplate'];

function below(entry: Entry | undefined, key: string): Entry | undefined {
  return entry?.members.find((member) => member.key === key);
}
