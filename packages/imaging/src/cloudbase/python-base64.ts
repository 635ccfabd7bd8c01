/**
 * Decodes base64 as Python does: letters of no meaning are passed over, padding that fits ends it, and what comes after
 * that is not looked at. `undefined` where the letters do not come out even.
 */
export function decodePythonBase64(text: string): Buffer | undefined {
  let [letters, pads] = ['', 0];
  for (const sign of text) {
    if (/[A-Za-z0-9+/]/.test(sign)) {
      letters += sign;
      pads = 0;
    } else if (sign === '=' && letters.length % 4 >= 2 && (letters.length % 4) + ++pads >= 4) {
      return Buffer.from(letters, 'base64');
    }
  }
  return letters.length % 4 === 0 ? Buffer.from(letters, 'base64') : undefined;
}
