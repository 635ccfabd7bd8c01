/** What runs a script. */
export type Interpreter = 'cmd' | 'python' | 'bash' | 'powershell' | 'powershell-x86' | 'program' | 'ec2';

/** In the order in which cloudbase-init tries them; only the last is looked for anywhere. Blanks are those of ASCII. */
const MARKERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^rem[\t-\r ]+cmd[\t-\r ]/, 'cmd'],
  [/^#![\t-\r ]*\/usr\/bin\/env[\t-\r ]+python[\t-\r ]/, 'python'],
  [/^#!/, 'bash'],
  [/^#(ps1|ps1_sysnative)[\t-\r ]/, 'powershell'],
  [/^#ps1_x86[\t-\r ]/, 'powershell-x86'],
  [/<\/?(script|powershell)>/, 'ec2'],
];

const EXTENSIONS: ReadonlyMap<string, Interpreter> = new Map([
  ['cmd', 'cmd'],
  ['py', 'python'],
  ['exe', 'program'],
  ['sh', 'bash'],
  ['ps1', 'powershell'],
]);

/** What runs a text, by its marker; `undefined` if nothing does. */
export function interpreterOfText(text: string): Interpreter | undefined {
  return MARKERS.find(([marker]) => marker.test(text))?.[1];
}

/** What runs a named file: its extension decides, and its marker only where that says nothing. */
export function interpreterOfFile(name: string, text: string): Interpreter | undefined {
  // Dots at the beginning of a name begin no extension.
  const extension = /[^.\\/]\.+([^.\\/]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return EXTENSIONS.get(extension) ?? interpreterOfText(text);
}

/** The blocks of EC2's format in the order in which they run: every `<script>`, then every `<powershell>`. */
export function ec2Blocks(text: string): readonly Ec2Block[] {
  return [
    ...blocksOf(text, /<script>([\s\S]+?)<\/script>/g, 'cmd'),
    ...blocksOf(text, /<powershell>([\s\S]+?)<\/powershell>/g, 'powershell'),
  ];
}

/** One block of EC2's format. */
export interface Ec2Block {
  readonly interpreter: Interpreter;
  readonly code: string;
  /** Where it begins in the text. */
  readonly offset: number;
}

function blocksOf(text: string, pattern: RegExp, interpreter: Interpreter): readonly Ec2Block[] {
  return [...text.matchAll(pattern)]
    .map(({ index, 1: code = '' }) => ({
      interpreter,
      code: code.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, ''),
      offset: index,
    }))
    .filter(({ code }) => code !== '');
}
