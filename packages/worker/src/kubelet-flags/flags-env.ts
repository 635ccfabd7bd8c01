import { parseArg } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';

const VARIABLE = 'KUBELET_KUBEADM_ARGS';

/** `NAME=value` as its own line; the value may be in double or single quotes. */
const ASSIGNMENT = new RegExp(
  String.raw`^[ \t]*(?:export[ \t]+)?${VARIABLE}=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^"'\s].*?)?)[ \t]*$`,
  'sm',
);

/**
 * The arguments in a `kubeadm-flags.env` by any writer, each as `--name=value`. Throws `CONFIG_INVALID` for a file
 * that does not set them: a kubelet started without its arguments could take the name of another node.
 */
export function parseFlagsEnv(text: string): readonly string[] {
  const assignments = linesOf(text).filter((line) => line.includes(`${VARIABLE}=`) && !/^\s*[#;]/.test(line));
  const last = assignments.at(-1);
  if (last === undefined) throw unreadable(`it does not set ${VARIABLE}`);
  const match = ASSIGNMENT.exec(last);
  if (match === null) throw unreadable('its quotes do not match');
  const [, double, single, plain] = match;
  const words = splitArgs(double === undefined ? (single ?? plain ?? '') : unescaped(double));
  if (words.some((word) => !word.startsWith('-'))) throw unreadable('it does not begin with an argument');
  return words;
}

/** The text of a `kubeadm-flags.env` as kubeadm writes it, with one thing better: values with spaces stay whole. */
export function flagsEnvText(args: readonly string[]): string {
  if (args.some((arg) => /\p{Cc}/u.test(arg))) throw unwritable();
  const value = args.map(wordOf).join(' ');
  return `${VARIABLE}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"\n`;
}

/** Windows tools put a mark before the text and end lines their own way. */
function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/);
}

/** Undoes Go's quoting of quotes and backslashes only: `C:\temp` in a file written manually is meant as it is. */
function unescaped(quoted: string): string {
  return quoted.replaceAll(/\\(["\\])/g, '$1');
}

function wordOf(arg: string): string {
  const { name, value } = parseArg(arg);
  return arg.includes('=') ? `--${name}=${groupedValue(value)}` : arg;
}

function unreadable(reason: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot read the kubelet's arguments: ${reason}`, {
    hint: `Write them in "kubeadm-flags.env" in one line: ${VARIABLE}="--name=value --name=value".`,
  });
}

function unwritable(): OperatorError {
  return new OperatorError('CONFIG_INVALID', "Cannot write the kubelet's arguments: one has a control character", {
    hint: 'Take line breaks and tabs out of the extra arguments of the kubelet.',
  });
}

/**
 * Splits what follows `KUBELET_KUBEADM_ARGS=` into arguments. kubeadm joins them with spaces and quotes none, so a value
 * may have spaces in it: an argument begins only where a dash does. A value wholly in quotes is what the quotes hold.
 */
function splitArgs(text: string): readonly string[] {
  const words: string[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const word = takeGrouped(rest) ?? takePlain(rest);
    words.push(word.text);
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

function groupedValue(value: string): string {
  if (!/\s|^["']/.test(value)) return value;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

interface Word {
  readonly text: string;
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
