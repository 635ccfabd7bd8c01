/**
 * The text without this join token, as the agent leaves it once the token was used. A token is long and random, so it
 * can be found as text: comments and order of the file stay as they are.
 */
export function blankToken(text: string, token: string): string {
  if (token === '') return text;
  return [`"${token}"`, `'${token}'`, token].reduce((rest, form) => rest.replaceAll(form, '""'), text);
}
