import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { judgeHostKey, knownTypes } from './judge-host-key.ts';
import { fingerprint, parseKnownHosts, type PublicKey } from './known-hosts.ts';

const key = someKey('ssh-ed25519');
const other = someKey('ssh-ed25519');
const rsa = someKey('ssh-rsa');

test.each([
  ['a plain name', `shop ssh-ed25519 ${base64(key)}`],
  ['a list of names', `first,shop,10.0.0.1 ssh-ed25519 ${base64(key)} a comment`],
  ['a wildcard', `*ho? ssh-ed25519 ${base64(key)}`],
  ['a hashed name', `${hashed('shop')} ssh-ed25519 ${base64(key)}`],
  ['another case', `SHOP ssh-ed25519 ${base64(key)}`],
  ['one of two keys', `shop ssh-rsa ${base64(rsa)}\nshop ssh-ed25519 ${base64(key)}`],
])('a key is known by %s', (_way, text) => {
  expect(judge(text)).toEqual({ kind: 'known' });
});

test.each([
  ['nothing', ''],
  ['a line for another host', `shops ssh-ed25519 ${base64(key)}`],
  ['a line that a negated pattern takes back', `*,!shop ssh-ed25519 ${base64(key)}`],
  ['a comment', `# shop ssh-ed25519 ${base64(key)}`],
  ['a broken line', 'shop ssh-ed25519'],
  ['a line for another port', `[shop]:2222 ssh-ed25519 ${base64(key)}`],
  ['a dot that fits only itself', `s.op ssh-ed25519 ${base64(key)}`],
])('a key is unknown by %s', (_way, text) => {
  expect(judge(text)).toMatchObject({ kind: 'unknown' });
});

test('a key at another port is looked for with the port, and the very key without it serves too', () => {
  expect(judge(`[shop]:2222 ssh-ed25519 ${base64(key)}`, 2222)).toEqual({ kind: 'known' });
  expect(judge(`shop ssh-ed25519 ${base64(key)}`, 2222)).toEqual({ kind: 'known' });
  expect(judge(`shop ssh-ed25519 ${base64(other)}`, 2222)).toMatchObject({ kind: 'unknown' });
});

test('another key, of whatever type, has changed, and the line of the same type is named first', () => {
  const text = `# mine\nshop ssh-rsa ${base64(rsa)}\nshop ssh-ed25519 ${base64(other)}`;
  expect(judge(text)).toMatchObject({ kind: 'changed', known: { file: 'known_hosts', line: 3 } });
  expect(judge(`shop ssh-rsa ${base64(rsa)}`)).toMatchObject({ kind: 'changed', known: { line: 1 } });
});

test('a revoked key is refused even where it is pinned', () => {
  const lines = parseKnownHosts(
    'known_hosts',
    `@revoked * ssh-ed25519 ${base64(key)}\nshop ssh-ed25519 ${base64(key)}`,
  );
  for (const pins of [[], [fingerprint(key)]])
    expect(judgeHostKey(key, { host: 'shop', port: 22, pins, lines })).toMatchObject({ kind: 'revoked' });
});

test('an authority for certificates does not make a plain key known', () => {
  expect(judge(`@cert-authority * ssh-ed25519 ${base64(key)}`)).toMatchObject({
    kind: 'unknown',
    authority: { line: 1 },
  });
});

test('a pin counts alone, as fingerprint or whole key', () => {
  const lines = parseKnownHosts('known_hosts', `shop ssh-ed25519 ${base64(key)}`);
  const withPins = (...pins: string[]): unknown => judgeHostKey(key, { host: 'shop', port: 22, pins, lines });
  for (const pin of [fingerprint(key), `${fingerprint(key)}=`, `ssh-ed25519 ${base64(key)} me@here`, base64(key)])
    expect(withPins(fingerprint(other), pin)).toEqual({ kind: 'known' });
  expect(withPins(fingerprint(other))).toEqual({ kind: 'other-than-pinned' });
});

test('the machine is asked for the types that are known for it', () => {
  const lines = parseKnownHosts('known_hosts', `shop ssh-rsa ${base64(rsa)}\nelsewhere ssh-ed25519 ${base64(key)}`);
  expect(knownTypes({ host: 'shop', port: 22, pins: [], lines })).toEqual(['ssh-rsa']);
  expect(knownTypes({ host: 'shop', port: 22, pins: [base64(key)], lines })).toEqual(['ssh-ed25519']);
});

function judge(text: string, port = 22): unknown {
  return judgeHostKey(key, { host: 'Shop', port, pins: [], lines: parseKnownHosts('known_hosts', text) });
}

function someKey(type: string): PublicKey {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, Buffer.from(type), randomBytes(40)]);
}

function base64(some: PublicKey): string {
  return some.toString('base64');
}

function hashed(name: string): string {
  const salt = randomBytes(20);
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}
