import { terminalText } from '@fenestra/platform/terminal-text';

/** A colour, by its meaning. */
export type Colour = 'plain' | 'quiet' | 'well' | 'wrong' | 'warning' | 'active' | 'strong';

/** A piece of a line in one colour. */
export interface Span {
  readonly text: string;
  readonly colour: Colour;
}

const CODES: Readonly<Record<Colour, string>> = {
  plain: '',
  quiet: '2',
  well: '32',
  wrong: '31',
  warning: '33',
  active: '36',
  strong: '1',
};

/** A piece of a line. */
export function span(text: string, colour: Colour = 'plain'): Span {
  return { text, colour };
}

/** A line of pieces as a terminal takes it, cut off at so many columns. */
export function lineText(spans: readonly Span[], columns: number, colours: boolean): string {
  let left = columns;
  let line = '';
  for (const { text, colour } of spans) {
    const shown = cutOff(cleanSpan(text), left);
    left -= Array.from(shown).length;
    line += colours ? paint(shown, colour) : shown;
  }
  return line.trimEnd();
}

/** A picture is drawn with escape sequences: none may come from what it shows. Blanks at the ends of a piece stay. */
function cleanSpan(text: string): string {
  return terminalText(text).replaceAll(/[\r\n\t]/g, ' ');
}

/** Text that takes exactly so many columns. */
export function padded(text: string, columns: number): string {
  return cutOff(text, columns).padEnd(columns);
}

/** Text of at most so many columns; what was cut off leaves a dot. */
export function cutOff(text: string, columns: number): string {
  const characters = Array.from(text);
  if (characters.length <= columns) return text;
  return columns <= 0 ? '' : `${characters.slice(0, columns - 1).join('')}…`;
}

function paint(text: string, colour: Colour): string {
  return text === '' || CODES[colour] === '' ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}
