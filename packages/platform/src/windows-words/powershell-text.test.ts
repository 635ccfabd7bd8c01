import { expect, test } from 'vitest';
import { powershellText } from './powershell-text.ts';

test('powershellText quotes plain texts, and nothing in them means anything to PowerShell', () => {
  expect(powershellText('$env:X "it\'s" `n')).toBe(`'$env:X "it''s" \`n'`);
});

test('powershellText writes everything else as bytes: curly quotes, other letters, line ends', () => {
  for (const text of ['it’s', 'größe', 'a\nb'])
    expect(powershellText(text)).toBe(
      `[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${Buffer.from(text).toString('base64')}'))`,
    );
});
