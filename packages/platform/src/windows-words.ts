/** One line from which a Windows program reads back exactly these words, by the rules of Microsoft's C runtime. */
export function windowsCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** Backslashes count only before a quote: each of them is doubled there, and the quote itself gets one. */
function quoteWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, '$&$&')}"`;
}

/**
 * A text as an expression of PowerShell. What is not plain ASCII goes as bytes: PowerShell 5.1 reads a script in the code
 * page of the machine, and takes the curly quotes of typography for quotes.
 */
export function powershellText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `[Text.Encoding]::UTF8.GetString(${powershellBytes(Buffer.from(text, 'utf8'))})`;
}

/** Bytes as an expression of PowerShell. */
export function powershellBytes(bytes: Buffer): string {
  return `[Convert]::FromBase64String('${bytes.toString('base64')}')`;
}
