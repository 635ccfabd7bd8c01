/**
 * What another machine has said, fit for a terminal and for a page: no control characters, which could move the cursor,
 * rename the window or end a line, and none that turn the direction of what follows.
 */
export function cleanText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
