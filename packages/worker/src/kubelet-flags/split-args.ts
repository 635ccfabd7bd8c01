/**
 * Splits what follows `KUBELET_KUBEADM_ARGS=` into arguments. kubeadm joins them with spaces and quotes none, so a value
 * may have spaces in it: an argument begins only where a dash does. A value wholly in quotes is what the quotes hold.
 */
export function splitArgs(text: string): readonly string[] {
  const words: string[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const word = takeGrouped(rest) ?? takePlain(rest);
    words.push(word.text);
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

/** The value so that `splitArgs` takes it whole. */
export function groupedValue(value: string): string {
  if (!/\s|^["']/.test(value)) return value;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

interface Word {
  readonly text: string;
  /** How much of the text it took. */
  readonly length: number;
}

const DOUBLE = /^(-[^\s="']+)[= ]"((?:[^"\\]|\\.)*)"(?=\s|$)/s;
const SINGLE = /^(-[^\s="']+)[= ]'([^']*)'(?=\s|$)/s;

function takeGrouped(text: string): Word | undefined {
  const double = DOUBLE.exec(text);
  if (double !== null)
    return { text: `${double[1]}=${(double[2] ?? '').replaceAll(/\\(["\\])/g, '$1')}`, length: double[0].length };
  const single = SINGLE.exec(text);
  return single === null ? undefined : { text: `${single[1]}=${single[2]}`, length: single[0].length };
}

/** Up to the next dash after a space. `--name value` says the same as `--name=value`. */
function takePlain(text: string): Word {
  const end = text.search(/\s+-/);
  const taken = end === -1 ? text : text.slice(0, end);
  return { text: taken.trimEnd().replace(/^(-[^\s=]+)\s+/, '$1='), length: taken.length };
}
