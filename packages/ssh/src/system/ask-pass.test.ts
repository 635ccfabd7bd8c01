import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askPassScript, questionsAbout } from './ask-pass.ts';

const LONG = `/keys/${'ä'.repeat(60)}`;
const WAYS: readonly RemoteAuth[] = [
  { kind: 'agent', socket: '/agent' },
  { kind: 'key', path: "/keys/it's mine", passphrase: 'phrase' },
  { kind: 'key', path: LONG, passphrase: 'long phrase' },
  { kind: 'key', path: '/keys/open' },
  { kind: 'password', password: 'pass word' },
  { kind: 'keyboard-interactive', answer: 'answer' },
];
const target: RemoteTarget = {
  name: 'shop',
  host: 'shop.example',
  port: 22,
  user: 'me',
  auth: WAYS,
  hostKeys: [],
  jumps: [],
  transport: 'system',
  limits: { connectSeconds: 10, idleTimeoutSeconds: 30 },
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-askpass-'));
  const questions = questionsAbout(target, ['shop.example', '10.0.0.7']);
  const answers = questions.map(({ beginning }, index) => ({ beginning, file: join(folder, `${index}`) }));
  for (const [index, { secret }] of questions.entries()) await writeFile(join(folder, `${index}`), secret);
  await writeFile(join(folder, 'askpass'), askPassScript(answers));
});
afterAll(async () => rm(folder, { recursive: true }));

test.each([
  ["me@shop.example's password: ", 'pass word'],
  ["me@10.0.0.7's password: ", 'pass word'],
  ['(me@10.0.0.7) Verification code: ', 'answer'],
  ["Enter passphrase for key '/keys/it's mine': ", 'phrase'],
  [`Enter passphrase for key '${Buffer.from(LONG).subarray(0, 100).toString()}': `, 'long phrase'],
])('what ssh asks about the machine is answered: %j', async (question, answer) => {
  expect(await answerTo(question)).toBe(answer);
});

test.each([
  "me@door.example's password: ",
  "other@shop.example's password: ",
  "me@shop.example.org's password: ",
  '(me@door.example) (me@shop.example) Password: ',
  "Enter passphrase for key '/keys/it's mine too': ",
  "Enter passphrase for key '/keys/open': ",
  "Enter me@shop.example's old password: ",
  "The authenticity of host 'shop.example (10.0.0.7)' can't be established.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ",
  "Enter PIN for ED25519-SK key /keys/it's mine: ",
  'Confirm user presence for key ED25519-SK SHA256:abc',
  'Password: ',
  '',
])('nothing else is: %j', async (question) => {
  expect(await answerTo(question)).toBeUndefined();
});

async function answerTo(question: string): Promise<string | undefined> {
  return promisify(execFile)('sh', [join(folder, 'askpass'), question]).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}
