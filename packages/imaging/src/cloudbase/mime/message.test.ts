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

test('base64 and quoted-printable are decoded, and what is neither is told', () => {
  expect(onlyPart('base64', 'Z3LDtsOf\nZQ==')?.content.text).toBe('größe');
  expect(onlyPart('quoted-printable', 'gr=C3=B6=\n=C3=9Fe')?.content.text).toBe('größe');
  expect(onlyPart('base64', 'not base64!')?.problem).toBe('bad-encoding');
});
