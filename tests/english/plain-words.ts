/** Words that operators do not search for, each with what to write in its place. */
const PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b/i, 'no one, or the passive'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'during this'],
  [/\bheed(s|ed|ing)?\b/i, 'honour or respect; "is ignored" for "is not heeded"'],
  [/\bmend(s|ed|ing|ings)?\b/i, 'fix'],
  [/\bof (its|their|our|your|my|his|her|one's) own\b/i, 'separate, or "its own ..."'],
  [/\bas wanted\b/i, 'up to date'],
  [/\bpass(es|ed)? over\b/i, 'skip'],
  [/\bway back\b/i, 'rollback'],
  [/\bto (its|their) end\b/i, 'until it exits, or finish'],
  [/(?<!\b(there|neither) )\b(is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b)\w/i, 'is not a ...'],
  [/\b(tells?|telling|told)\b/i, 'say, report, show; determine for "cannot tell"'],
  [/\b(hears?|heard)\b/i, 'receive'],
  [
    /\b(lives?|living|alive) (in|on|up|below|under|there|node|process|owner|holder)\b/i,
    'run, exist, be stored, be valid',
  ],
  [/\bdeeds?\b/i, 'operation'],
  [/\bin vain\b/i, 'without success'],
  [/\b(goodbye|strangers?)\b/i, 'name the message or the client'],
  [/\blook(s|ed|ing)? after\b/i, 'manage'],
  [/\bt(ake|akes|aken|aking|ook) away\b/i, 'remove'],
  [/\bfor good\b/i, 'permanently'],
  [/\bbeds?\b/i, 'test system'],
];

export interface Finding {
  readonly index: number;
  readonly word: string;
  readonly plain: string;
}

/** A phrase may be wrapped onto a second line. */
const PATTERNS = PLAIN_WORDS.map(([word, plain]) => ({
  pattern: new RegExp(word.source.replaceAll(' ', String.raw`\s+`), 'gi'),
  plain,
}));
const ANY = new RegExp(PATTERNS.map(({ pattern }) => pattern.source).join('|'), 'i');

/** Each use of such a word in a text. */
export function unplainWords(text: string): Finding[] {
  if (!ANY.test(text)) return [];
  return PATTERNS.flatMap(({ pattern, plain }) =>
    [...text.matchAll(pattern)].map((match) => ({
      index: match.index,
      word: match[0].replaceAll(/\s+/g, ' '),
      plain,
    })),
  );
}
