/** The last line of an answer that is whole. */
export const END_MARK = 'fenestra-end';

/** How scripts answer: a word, an equals sign and a value. */
export const SAY = `
say() { printf '%s=%s\\n' "$1" "$2"; }
`;

/** What a script has answered. */
export interface Answers {
  readonly all: (key: string) => readonly string[];
  /** The first one; empty if there is none. */
  readonly one: (key: string) => string;
}

/** Reads the answers; `undefined` if they are not whole. */
export function readAnswers(output: string): Answers | undefined {
  const lines = output.split(/\r?\n/);
  if (!lines.includes(END_MARK)) return undefined;
  const answers = lines.flatMap((line) => {
    const [, key, value] = /^([a-z]+)=(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
  const all = (wanted: string): readonly string[] =>
    answers.filter(({ key }) => key === wanted).map(({ value }) => value);
  return { all, one: (wanted) => all(wanted)[0] ?? '' };
}
