import type { LintReport } from '../lint-user-data.ts';

/** How an outcome says that something is done, and the word for it in the records of cloudbase-init. */
const DONE: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly string[]])[] = [
  [/tried at every start/, () => ['fails']],
  [/^(?:written|appended) to (.*), (\d+) bytes/s, ([, path = '', size = '']) => [`file ${path} ${size}`]],
  [/as one script of cmd\.exe of (\d+) bytes/, ([, size = '']) => [`commands ${size}`]],
  [/^run once by (.*)/, ([, runner = '']) => [`script ${interpreter(runner)}`]],
  [/^names the host "(.*)"; if/s, ([, name = '']) => [`host ${name}`]],
  [/^sets the time zone "(.*)"/s, ([, zone = '']) => [`timezone ${zone}`]],
  [/^sets the time servers/, () => ['time servers']],
  [/^user "(.*)" is made/s, ([, name = '']) => [`user ${name}`]],
  [/^(\d+) group/, ([, count = '']) => Array.from({ length: Number(count) }, () => 'group')],
  [/^loaded as Python/, () => ['handler']],
];

const RUNNERS: readonly (readonly [RegExp, string])[] = [
  [/^cmd/, 'cmd'],
  [/^64-bit/, 'powershell'],
  [/^32-bit/, 'powershell-x86'],
  [/python/, 'python'],
  [/bash/, 'bash'],
];

function interpreter(runner: string): string {
  return RUNNERS.find(([pattern]) => pattern.test(runner))?.[1] ?? 'program';
}

/** What is done on the machine by the words of lint, sorted; only "fails" if the plugin does. */
export function doneBy({ findings, outcomes }: LintReport): readonly string[] {
  const done = outcomes.flatMap(({ effect }) =>
    DONE.flatMap(([pattern, words]) => {
      const match = pattern.exec(effect);
      return match === null ? [] : words(match);
    }),
  );
  const fails = done.includes('fails') || findings.some(({ rule }) => rule === 'not-text' || rule === 'gzip-broken');
  return fails ? ['fails'] : done.toSorted();
}
