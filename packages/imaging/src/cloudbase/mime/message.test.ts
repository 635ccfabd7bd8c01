import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { wholeFile } from '../placed-text.ts';
import { readMessage, type MimePart } from './message.ts';

/** Messages, and the parts that Python's own parser finds in them: type, file name, content. */
const CASES = z
  .array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.nullable(z.string()), z.string()]))]))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/parsed.json'), 'utf8')));

test("messages have the parts that Python's parser finds", () => {
  expect(CASES.length).toBeGreaterThan(100);
  for (const [message, parts] of CASES) {
    const found = readMessage(wholeFile(message))
      .filter(({ problem }) => problem !== 'unterminated')
      .map(({ type, fileName = null, content }) => [type, fileName, content.text]);
    const wanted = parts.map(([type, name, text]) => [type, name, text.replaceAll('\r\n', '\n')]);
    expect({ message, found }).toEqual({ message, found: wanted });
  }
});

test('parts inside of parts are found, with their lines', () => {
  const inner =
    'Content-Type: multipart/mixed; boundary=I\n\n--I\nContent-Type: text/cloud-config\n\n#cloud-config\n--I--';
  const message = `Content-Type: multipart/mixed; boundary=O\n\n--O\n${inner}\n--O--\n`;
  expect(readMessage(wholeFile(message))).toMatchObject([{ type: 'text/cloud-config', line: 7, problem: undefined }]);
  expect(readMessage(wholeFile(message))[0]?.content.lineAt(1)).toBe(9);
});

function onlyPart(encoding: string, body: string): MimePart | undefined {
  const part = `Content-Transfer-Encoding: ${encoding}\n\n${body}\n`;
  return readMessage(wholeFile(`Content-Type: multipart/mixed; boundary=B\n\n--B\n${part}--B--\n`))[0];
}

test('base64 and quoted-printable are decoded, and invalid content is reported', () => {
  expect(onlyPart('base64', 'Z3LDtsOf\nZQ==')?.content.text).toBe('größe');
  expect(onlyPart('quoted-printable', 'gr=C3=B6=\n=C3=9Fe')?.content.text).toBe('größe');
  expect(onlyPart('base64', 'not base64!')?.problem).toBe('bad-encoding');
});

test('what the transfer encoding leaves out is added, and what does not belong there is skipped', () => {
  expect(onlyPart('base64', 'Z3LDtsOfZQ')?.content.text).toBe('größe');
  expect(onlyPart('base64', 'Z3LD!tsOf\nZQ==behind')?.content.text).toBe('größe');
  expect(onlyPart('base64 ', 'Z3LDtsOfZQ==')?.content.text).toBe('Z3LDtsOfZQ==');
});

test.each([
  ['attachment; filename="a;b.ps1"', 'a;b.ps1'],
  ['attachment; FILENAME = a.ps1', 'a.ps1'],
  ['filename=a.ps1', 'a.ps1'],
  ["attachment; filename*=utf-8''gr%C3%B6%C3%9Fe.ps1", 'größe.ps1'],
  ['attachment; filename*1=.ps1; filename*0=a', 'a.ps1'],
  [String.raw`attachment; filename="a\"b.ps1"`, 'a"b.ps1'],
  ['attachment;\n filename="a.ps1"', 'a.ps1'],
])('the disposition %j names "%s"', (disposition, name) => {
  const part = `Content-Disposition: ${disposition}\n\nx\n`;
  const message = `Content-Type: multipart/mixed; boundary=B\n\n--B\n${part}--B--\n`;
  expect(readMessage(wholeFile(message))[0]?.fileName).toBe(name);
});

test('a message in a message is gone into, and a last boundary ends all wherever it stands', () => {
  const inner = 'Content-Type: text/x-shellscript; name=a.ps1\n\nx\n';
  const outer = `Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: message/rfc822\n\n${inner}--B--\n`;
  expect(readMessage(wholeFile(outer))).toMatchObject([{ type: 'text/x-shellscript', fileName: 'a.ps1' }]);
  expect(readMessage(wholeFile(outer.replace('--B\n', '--B--\n--B\n')))).toMatchObject([{ problem: 'no-boundary' }]);
});
