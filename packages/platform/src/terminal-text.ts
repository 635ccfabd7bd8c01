/** A character with a shape: what a joiner or an emoji variant may stand beside. */
const VISIBLE = '[[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]--[\\p{ASCII}\\p{DI}]]';
const EMOJI_VARIANT = '(?<=\\p{Extended_Pictographic})\\ufe0f';
/** `\r\n` ends a line. Zero-width joiners and emoji variants are part of words and emoji, but hide in plain letters. */
const HARMLESS = `\\r\\n|[\\n\\t]|${EMOJI_VARIANT}|(?<=${VISIBLE}\\ufe0f?)[\\u200c\\u200d](?=${VISIBLE})`;
/** Control characters of both sets, text direction, line separators, characters without a shape, blank letters. */
const HARMFUL = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}\\u2800]';
const HARMLESS_OR_HARMFUL = new RegExp(`(${HARMLESS})|${HARMFUL}`, 'gv');
const HARMFUL_RUN = new RegExp(`${HARMFUL}+`, 'gv');

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
