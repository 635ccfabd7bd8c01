/** The words of a command line without some options and their values: `--name value` and `--name=value`. */
export function withoutOptions(words: readonly string[], names: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (names.includes(word)) index++;
    else if (!names.some((name) => word.startsWith(`${name}=`))) kept.push(word);
  }
  return kept;
}
