/** A text, and where its lines stand in the file that a person has before them. */
export interface PlacedText {
  readonly text: string;
  /** The line of the file that a line of the text comes from; both count from 1. */
  lineAt(line: number): number;
}

/** A whole file. */
export function wholeFile(text: string): PlacedText {
  return { text, lineAt: (line) => line };
}

/** A part of a text that begins in its line `first`. */
export function partOf(outer: PlacedText, text: string, first: number): PlacedText {
  return { text, lineAt: (line) => outer.lineAt(first + line - 1) };
}

/** A text that was decoded: it has no lines in the file but the one it begins in. */
export function decodedFrom(outer: PlacedText, text: string, first: number): PlacedText {
  return { text, lineAt: () => outer.lineAt(first) };
}

/** The line of a place in a text, from 1. */
export function lineOfOffset(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
