/** `\r\n` ends a line; zero-width joiners are part of words and emoji. Alone they cannot harm a terminal. */
const HARMLESS = '\\r\\n|[\\n\\t\\u200c\\u200d]';
/** Control characters of both sets, escape included, text direction, invisible characters, line separators. */
const HARMFUL = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]';
const HARMLESS_OR_HARMFUL = new RegExp(`(${HARMLESS})|${HARMFUL}`, 'gu');
const HARMFUL_RUN = new RegExp(`${HARMFUL}+`, 'gu');

/**
 * Text that cannot move the cursor, rename the window, hide anything or change the direction of text: such characters are
 * shown as `\u001b`. JSON keeps its meaning, because there this is how it spells them, too.
 */
export function terminalText(text: string): string {
  return text.replace(HARMLESS_OR_HARMFUL, (found, harmless: string | undefined) => harmless ?? escaped(found));
}

/** One field of a line, as another machine or a file gives it: line breaks go, too, so that it cannot forge lines. */
export function cleanText(text: string): string {
  return text.replaceAll(HARMFUL_RUN, ' ').trim();
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
