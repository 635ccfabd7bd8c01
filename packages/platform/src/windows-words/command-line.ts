/** One line from which a Windows program reads back exactly these words, by the rules of Microsoft's C runtime. */
export function windowsCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** Backslashes count only before a quote: each of them is doubled there, and the quote itself gets one. */
function quoteWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, '$&$&')}"`;
}
