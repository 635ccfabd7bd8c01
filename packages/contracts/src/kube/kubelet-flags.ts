/** One argument of a kubelet, without its dashes. */
export interface KubeletArg {
  readonly name: string;
  readonly value: string;
}

/** The argument as a command line has it. */
export function argText({ name, value }: KubeletArg): string {
  return `--${name}=${value}`;
}

/** The argument a word of a command line is; a word without `=` is a switch that is on. */
export function parseArg(word: string): KubeletArg {
  const [, name = '', , value = 'true'] = /^-{0,2}([^=]*)(=(.*))?$/s.exec(word) ?? [];
  return { name, value };
}

/** A taint a node registers itself with. */
export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Taints as `--register-with-taints` takes them. */
export function taintsText(taints: readonly Taint[]): string {
  return taints.map(({ key, value = '', effect }) => `${key}${value === '' ? '' : `=${value}`}:${effect}`).join(',');
}

/** The taints in a text, and after them those of another text that it has not, by key and effect. */
export function withTaints(text: string, others: string): string {
  const ours = listOf(text);
  const known = new Set(ours.map(identityOf));
  return [...ours, ...listOf(others).filter((taint) => !known.has(identityOf(taint)))].join(',');
}

function listOf(text: string): readonly string[] {
  return text.split(',').filter((taint) => taint.trim() !== '');
}

/** Two taints with one key and effect are one taint. */
function identityOf(taint: string): string {
  return taint.trim().replace(/=[^:]*/, '');
}
