import type { Command, Option } from 'commander';
import * as fc from 'fast-check';
import { buildProgram } from '../cli/program.ts';
import type { KeadmEnvironment } from '../platform.ts';

/** Where generated command lines may read and write. */
export interface CommandLineSandbox {
  /** The root of the node, and the only folder that is written to. */
  readonly folder: string;
  /** Files and folders that options may name, good ones and broken ones. */
  readonly paths: readonly string[];
}

interface CommandShape {
  readonly words: readonly string[];
  readonly options: readonly Option[];
}

/** Texts that no option takes, or that some parser once took for something else. None leads out of the sandbox. */
const ODD_VALUES = [
  ['', ' ', '-', '-1', '0', '1', '65536', '99999999999999999999', '1e9', 'NaN', '0x10', '1h', '576h', '10s30'],
  ['256.1.1.1', '127.0.0.1', '127.0.0.1:1', '127.0.0.1:99999', '[::1', '[::1]:1', '[::1%lo]', 'a b', 'a@b:c'],
  ['http://[', 'https://127.0.0.1:1/', 'http://127.0.0.1:1/a.tar.gz', 'file:///x', 'javascript:1', 'unix:///none'],
  ['=', 'a=b', 'a=b=c', ',', 'a.b={x', 'modules.edgeHub.heartbeat=x', 'modules.edgeHub.websocket.server=1:99999'],
  ['__proto__', 'constructor', '__proto__=1', 'toString', 'all', 'edge', 'v1.2.3', '1.2', '{}', '[', 'null', '%s%n'],
  ['\u001b[31m', '\u202e', '\r', '\n', 'é', '💥', '\ud800', 'x'.repeat(5_000), '/proc/none/x', 'missing', '$(id)'],
].flat();

/** What an option's placeholder asks for, so that many lines get past the parser. */
const LIKELY_VALUES: Readonly<Record<string, readonly string[]>> = {
  duration: ['10s', '1m30s'],
  port: ['1', '10000'],
  number: ['1'],
  address: ['127.0.0.1', 'localhost'],
  version: ['v1.33.1', '1.2.3'],
  pairs: ['zone=north'],
  assignments: ['modules.edgeHub.heartbeat=20'],
};

/** Command lines from the command table: every command, with its options and others, and odd values. */
export async function commandLines(
  environment: KeadmEnvironment,
  { folder, paths }: CommandLineSandbox,
): Promise<fc.Arbitrary<readonly string[]>> {
  const shapes = shapesOf(await buildProgram([], environment, { deliver: () => {}, writeHelp: () => {} }), []);
  const everyFlag = [...new Set(shapes.flatMap(({ options }) => options.flatMap(flagsOf)))];
  const value = fc.oneof(fc.constantFrom(...paths), fc.constantFrom(...ODD_VALUES), fc.string({ maxLength: 8 }));
  const stray = fc.oneof(value, fc.constantFrom(...everyFlag, '--help', '--', '-o', '--output=json', 'list'));
  const form = fc.constantFrom([], ['-o', 'json'], ['-ojson'], ['--output=json']);
  return fc.constantFrom(...shapes).chain(({ words, options }) => {
    const option = { weight: 4, arbitrary: optionWords(options, value, paths) };
    const more = fc.array(fc.oneof(option, { weight: 1, arbitrary: stray.map((word) => [word]) }), { maxLength: 4 });
    // The command itself is misspelt now and then.
    const command = fc.oneof(
      { weight: 20, arbitrary: fc.constant(words) },
      { weight: 1, arbitrary: value.map((word) => [word]) },
    );
    return fc
      .tuple(command, more, form)
      .map(([typed, given, asked]) => [
        ...typed,
        ...sandboxed(options, folder),
        ...given.flat().filter((word) => !leadsOut(word, paths)),
        ...asked,
      ]);
  });
}

function leadsOut(word: string, paths: readonly string[]): boolean {
  return (
    /(^|=)\.*\//.test(word) && ![...paths, '/proc/none/x'].some((path) => word === path || word.endsWith(`=${path}`))
  );
}

function shapesOf(command: Command, words: readonly string[]): readonly CommandShape[] {
  const own = words.length === 0 ? [] : [{ words, options: command.options }];
  return [...own, ...command.commands.flatMap((child) => shapesOf(child, [...words, child.name()]))];
}

/** What changes a machine is only planned, and only below the sandbox. */
function sandboxed(options: readonly Option[], folder: string): readonly string[] {
  const has = (flag: string): boolean => options.some(({ long }) => long === flag);
  return [...(has('--root') ? ['--root', folder] : []), ...(has('--dry-run') ? ['--dry-run'] : [])];
}

/** One option as it is typed; `--root` stays the sandbox. */
function optionWords(
  options: readonly Option[],
  odd: fc.Arbitrary<string>,
  paths: readonly string[],
): fc.Arbitrary<readonly string[]> {
  const free = options.filter(({ long }) => long !== '--root');
  if (free.length === 0) return odd.map((word) => [word]);
  return fc.constantFrom(...free).chain((option) => {
    const flag = fc.constantFrom(...flagsOf(option));
    if (!option.required && !option.optional) return flag.map((word) => [word]);
    const placeholder = /<(\w+)/.exec(option.flags)?.[1] ?? '';
    const likely = option.argChoices ?? LIKELY_VALUES[placeholder] ?? paths;
    return fc
      .tuple(flag, fc.oneof(fc.constantFrom(...likely), odd), fc.boolean())
      .map(([word, text, joined]) => (joined && word.startsWith('--') ? [`${word}=${text}`] : [word, text]));
  });
}

function flagsOf({ long, short }: Option): readonly string[] {
  return [long, short].filter((flag) => typeof flag === 'string');
}
