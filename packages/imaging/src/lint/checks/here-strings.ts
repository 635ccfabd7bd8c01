/** A text that stands in a script of PowerShell line by line. */
export interface HereString {
  readonly text: string;
  /** Where its first line begins in the script. */
  readonly offset: number;
}

/** The here-strings of a script of PowerShell, in either kind of quotes. */
export function hereStrings(script: string): readonly HereString[] {
  const found: HereString[] = [];
  const opening = /@(['"])[\t ]*\r?\n/g;
  for (let match = opening.exec(script); match !== null; match = opening.exec(script)) {
    // The end must begin a line, and may be the very first one.
    const end = script.indexOf(`\n${match[1]}@`, opening.lastIndex - 1);
    if (end === -1) break;
    found.push({ text: script.slice(opening.lastIndex, end), offset: opening.lastIndex });
    opening.lastIndex = end + 1;
  }
  return found;
}
