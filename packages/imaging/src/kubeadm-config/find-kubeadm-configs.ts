import { isMap, LineCounter, parseAllDocuments, type Document, type YAMLError } from 'yaml';
import { memberOf, membersOf, scalarText, type Entry } from '../cloudbase/cloud-config/entry.ts';

/** A KubeadmConfig, or the template of one, in a file that may hold other objects too. */
export interface KubeadmConfigSource {
  readonly name: string;
  readonly kind: KubeadmConfigKind;
  /** What is below `spec`, or `spec.template.spec` of a template. */
  readonly spec: Entry;
  /** Fields around the spec that the object does not have. */
  readonly strays: readonly Entry[];
  /** The field that should hold the spec, and is not there. */
  readonly missing: string | undefined;
}

/** The kinds that hold one. */
export type KubeadmConfigKind = 'KubeadmConfig' | 'KubeadmConfigTemplate';

const KIND =
  /^[\t ]*(?:- )?["']?kind["']?[\t ]*:[\t ]*["']?KubeadmConfig(?:Template)?["']?(?:[\t ]*,)?[\t ]*(?:#.*)?$/m;

/** How a file begins that is user-data itself. What an object holds deeper inside does not count. */
const USER_DATA: readonly RegExp[] = [
  /^#cloud-config/,
  /^##\s*template:/i,
  /^#!/,
  /^#ps1/,
  /^rem[\t-\r ]+cmd[\t-\r ]/,
  /^[\t-\r ]*-----BEGIN /,
  /^[\t-\r ]*<\/?(?:script|powershell)>/,
  // Headers of a message, each in lines that begin in one way only.
  /^(?:From [^\n]*\n)?(?:[A-Za-z][\w-]*:[^\n]*\n(?:[\t ][^\n]*\n)*)*Content-Type: multipart/,
];

/** Whether a file is about Kubernetes objects, one of which may be a KubeadmConfig. */
export function holdsKubeadmConfig(text: string): boolean {
  return KIND.test(text) && !USER_DATA.some((beginning) => beginning.test(text));
}

/** Where a file cannot be read. */
export interface KubeadmConfigTrouble {
  readonly line: number;
  /** A key that stands there twice; `undefined` if it is not YAML from there on. */
  readonly repeated: string | undefined;
}

/** Every KubeadmConfig of a file that has a spec, or the line in which it is not YAML. */
export function findKubeadmConfigs(text: string): readonly KubeadmConfigSource[] | KubeadmConfigTrouble {
  const configs = findAllKubeadmConfigs(text);
  return 'line' in configs ? configs : configs.filter(({ missing }) => missing === undefined);
}

/** The same, including those without a spec. */
export function findAllKubeadmConfigs(text: string): readonly KubeadmConfigSource[] | KubeadmConfigTrouble {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line);
  try {
    const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
    if ('empty' in documents) return [];
    const [mistake] = documents.flatMap(({ errors }) => errors);
    if (mistake !== undefined) return troubleOf(mistake, text, lineAt);
    return documents.flatMap((document) => kubeadmConfigsIn(topOf(document, lineAt)));
  } catch {
    // Brackets without end exhaust the stack, and aliases of aliases the patience.
    return { line: 1, repeated: undefined };
  }
}

function troubleOf({ code, pos }: YAMLError, text: string, lineAt: (offset: number) => number): KubeadmConfigTrouble {
  const [start] = pos;
  const key =
    code === 'DUPLICATE_KEY' ? /^["']?([\w./-]+)/.exec(text.slice(start, start + LONGEST_KEY))?.[1] : undefined;
  // What is missing at the end of a file is missing in its last line that says anything.
  return { line: lineAt(Math.min(start, text.trimEnd().length)), repeated: key };
}

const LONGEST_KEY = 100;

function topOf(document: Document.Parsed, lineAt: (offset: number) => number): readonly Entry[] {
  return isMap(document.contents) ? membersOf(document.contents, '', { document, lineAt }) : [];
}

/** A list of objects holds them one level deeper. */
function kubeadmConfigsIn(top: readonly Entry[]): readonly KubeadmConfigSource[] {
  const items = top.find(({ key }) => key === 'items');
  if (items !== undefined) return items.members.flatMap(({ members }) => kubeadmConfigsIn(members));
  const own = top.find(({ key, value }) => key === 'kind' && KINDS.some((each) => each === value));
  const kind = KINDS.find((each) => own?.value === each);
  if (own === undefined || kind === undefined) return [];
  const metadata = top.find(({ key }) => key === 'metadata');
  const name = scalarText(memberOf(metadata, 'name')?.value);
  return [{ name, kind, ...specIn({ ...own, members: top, path: '' }, WAYS[kind]) }];
}

type Found = Pick<KubeadmConfigSource, 'spec' | 'strays' | 'missing'>;

/** Goes down to the spec. Without one, the last that is there stands for it, with nothing in it. */
function specIn(object: Entry, way: readonly Step[]): Found {
  const [step, ...rest] = way;
  if (step === undefined) return { spec: object, strays: [], missing: undefined };
  const strays = object.members.filter(({ key }) => key !== step.next && !step.beside.includes(key));
  const next = memberOf(object, step.next);
  if (next === undefined) return { spec: { ...object, value: {}, members: [] }, strays, missing: step.next };
  const deeper = specIn(next, rest);
  return { ...deeper, strays: [...strays, ...deeper.strays] };
}

/** A field on the way to the spec, and those that may stand beside it. */
interface Step {
  readonly next: string;
  readonly beside: readonly string[];
}

const OBJECT: Step = { next: 'spec', beside: ['apiVersion', 'kind', 'metadata', 'status'] };
const WAYS: Readonly<Record<KubeadmConfigKind, readonly Step[]>> = {
  KubeadmConfig: [OBJECT],
  KubeadmConfigTemplate: [OBJECT, { next: 'template', beside: [] }, { next: 'spec', beside: ['metadata'] }],
};
const KINDS: readonly KubeadmConfigKind[] = ['KubeadmConfig', 'KubeadmConfigTemplate'];
