/** Dated words, each with what to write in its place. No comment and no test name has them either. */
const DATED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(nobody|somebody|anybody)\b/i, 'no one, someone, or the passive'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'during this'],
  [/\bheed(s|ed|ing)?\b/i, 'honour or respect; "is ignored" for "is not heeded"'],
  [/\bmend(s|ed|ing|ings)?\b/i, 'fix'],
  [/(?<!\boften )\bas wanted\b/i, 'up to date'],
  [/\bpass(es|ed)? over\b/i, 'skip'],
  [/\bin vain\b/i, 'without success'],
  [/\bdeeds?\b/i, 'operation'],
  [/\blook(s|ed|ing)? after\b/i, 'manage'],
  [/\bt(ake|akes|aken|aking|ook) away\b/i, 'remove'],
  [/\bfor good\b/i, 'permanently'],
];

/** Words that operators do not search for. */
const PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  ...DATED_WORDS,
  [/\bwhoever\b/i, 'anyone who'],
  [/\bof (its|their|our|your|my|his|her|one's) own\b/i, 'separate, or "its own ..."'],
  [/\bway back\b/i, 'rollback'],
  [/\bto (its|their) end\b/i, 'until it exits, or finish'],
  [/(?<!\b(there|neither) )\b(is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b)\w/i, 'is not a ...'],
  [/\b(tells?|telling|told)\b/i, 'say, report, show; determine for "cannot tell"'],
  [/\b(hears?|heard)\b/i, 'receive'],
  [
    /\b(lives?|living|alive) (in|on|up|below|under|there|node|process|owner|holder)\b/i,
    'run, exist, be stored, be valid',
  ],
  [/\b(goodbye|strangers?)\b/i, 'name the message or the client'],
  [/\bbeds?\b/i, 'test system'],
];

export interface Finding {
  readonly index: number;
  readonly word: string;
  readonly plain: string;
}

type Scan = (text: string) => Finding[];

/** Each use of such a word in a text. */
export const unplainWords = scanFor(PLAIN_WORDS);

/** Each use of a dated word in a comment or the name of a test. */
export const datedWords = scanFor(DATED_WORDS);

/** A phrase may be wrapped onto a second line. */
function scanFor(words: readonly (readonly [RegExp, string])[]): Scan {
  const patterns = words.map(([word, plain]) => ({
    pattern: new RegExp(word.source.replaceAll(' ', String.raw`[\s*]+`), 'gi'),
    plain,
  }));
  const any = new RegExp(patterns.map(({ pattern }) => pattern.source).join('|'), 'i');
  return (text) =>
    any.test(text)
      ? patterns.flatMap(({ pattern, plain }) =>
          [...text.matchAll(pattern)].map((match) => ({
            index: match.index,
            word: match[0].replaceAll(/\s+/g, ' '),
            plain,
          })),
        )
      : [];
}
