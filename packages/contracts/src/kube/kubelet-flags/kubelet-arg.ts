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
