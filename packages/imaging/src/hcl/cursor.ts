/** A place in a text that is being read. */
export interface Cursor {
  readonly text: string;
  position: number;
  line: number;
}

/** A cursor at the beginning of a text. */
export function cursorAt(text: string): Cursor {
  return { text, position: 0, line: 1 };
}

/** What follows, if it begins as the pattern says; the pattern must be sticky. */
export function peek(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.position;
  return pattern.exec(cursor.text)?.[0];
}

/** Whether this text follows. */
export function follows(cursor: Cursor, text: string): boolean {
  return cursor.text.startsWith(text, cursor.position);
}

/** Whether there is nothing left. */
export function isAtEnd({ text, position }: Cursor): boolean {
  return position >= text.length;
}

/** Goes on by as many characters, and returns them. */
export function take(cursor: Cursor, count: number): string {
  const taken = cursor.text.slice(cursor.position, cursor.position + count);
  cursor.position += taken.length;
  cursor.line += taken.split('\n').length - 1;
  return taken;
}
