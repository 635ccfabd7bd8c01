/**
 * A text as an expression of PowerShell. What is not plain ASCII goes as bytes: PowerShell 5.1 may read it in another
 * code page, and takes the curly quotes of typography for quotes.
 */
export function powershellText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const bytes = Buffer.from(text, 'utf8').toString('base64');
  return `[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${bytes}'))`;
}
