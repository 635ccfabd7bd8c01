const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What neither XML nor a page may hold, escaped or not: control characters, halves of pairs, and two that are no characters. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** Text as it may stand in HTML and XML, between tags and inside quotes. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
