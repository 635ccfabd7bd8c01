/** The words for keadm on one line, for people; a word that could be taken for several, or for none, is in quotes. */
export function commandText(words: readonly string[]): string {
  return ['keadm', ...words.map(wordText)].join(' ');
}

function wordText(word: string): string {
  if (word !== '' && !/[\s'"]/.test(word)) return word;
  return word.includes("'") ? `"${word}"` : `'${word}'`;
}
