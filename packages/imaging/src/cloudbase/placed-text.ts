/** A text, and where its lines stand in the file that a person has before them. */
export interface PlacedText {
  readonly text: string;
  /** The line of the file that a line of the text comes from; both count from 1. */
  readonly lineAt: (line: number) => number;
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

/** Finds the lines of many places in a text, from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** The line of a place in a text, from 1. */
export function lineOfOffset(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
