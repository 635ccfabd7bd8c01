import { terminalText } from '@fenestra/platform/terminal-text';

/** The words for keadm on one line, for people; a word that could be taken for several, or for none, is in quotes. */
export function commandText(words: readonly string[]): string {
  return ['keadm', ...words.map(wordText)].join(' ');
}

function wordText(word: string): string {
  if (word !== '' && !/[\s'"]/.test(word)) return word;
  return word.includes("'") ? `"${word}"` : `'${word}'`;
}

const MINUTE = 60;
const HOUR = 3600;

/** A span of time as people say it: "8 s", "2 min 5 s", "1 h 3 min". */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return twoUnits(seconds, MINUTE, 'min', 1, 's');
  return twoUnits(seconds, HOUR, 'h', MINUTE, 'min');
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What neither XML nor a page may hold, escaped or not: control characters, halves of pairs, and two that are not characters. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** Text as it may stand in HTML and XML, between tags and inside quotes. It hides nothing and keeps its direction. */
export function escapeMarkup(text: string): string {
  const clean = terminalText(text.toWellFormed().replaceAll(FORBIDDEN, '\ufffd'));
  return clean.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
