import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { metadataService } from '../cloudbase/service.ts';
import { CLOUDBASE_VERSIONS } from '../cloudbase/version.ts';
import { lintUserData } from '../lint/lint-user-data.ts';
import { makeUserData } from './make-user-data.ts';
import { parseSecretStore } from './secret-store.ts';
import { anyRequest, plainRequest, TOKEN } from './testing/requests.ts';
import { scriptOf } from './testing/script-of.ts';

test('whatever is made passes lint, for every release', () => {
  fc.assert(
    fc.property(anyRequest, fc.constantFrom(...CLOUDBASE_VERSIONS), (request, version) => {
      const { text } = makeUserData(request);
      const { findings, outcomes } = lintUserData(Buffer.from(text), { version, service: request.service });
      expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(outcomes.filter(({ fate }) => fate !== 'done')).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('whatever is made is plain ASCII with line ends of one kind', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      expect(makeUserData(request).text).toMatch(/^[\n\x20-\x7e]*$/);
    }),
    { numRuns: 10 },
  );
});

test('the same request gives the same bytes', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      expect(makeUserData(request).text).toBe(makeUserData(request).text);
    }),
    { numRuns: 10 },
  );
});

test('a script is enough where nothing else is asked for, and a message where users are', () => {
  expect(makeUserData(plainRequest()).text).toMatch(/^#ps1_sysnative\n/);
  expect(makeUserData(plainRequest({ settings: { users: [{ name: 'capi' }] } })).text).toMatch(
    /^Content-Type: multipart/,
  );
});

test('a token never stands in a file that all can read', () => {
  const { text } = makeUserData(plainRequest({ form: 'cloud-config' }));
  expect(scriptOf(plainRequest({ form: 'cloud-config' }))).not.toContain(TOKEN);
  expect(text.match(new RegExp(TOKEN, 'g'))).toHaveLength(1);
  expect(text).toMatch(new RegExp(`^ {2}- "set .*${TOKEN}.*&& powershell`, 'm'));
});

test.each(['azure', 'ec2', 'vmware'] as const)('no token stands in the user-data of %s, which has a store', (name) => {
  expect(() => makeUserData(plainRequest({ service: metadataService(name) }))).toThrow(
    expect.objectContaining({ code: 'USAGE' }),
  );
});

test('a store of another platform is refused, and one of its own is not', () => {
  const token = { kind: 'store', store: parseSecretStore('aws-secrets-manager:x', { keep: false }) } as const;
  expect(() => makeUserData(plainRequest({ service: metadataService('azure'), token }))).toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('aws-secrets-manager') }),
  );
  for (const service of ['ec2', 'nocloud'] as const)
    expect(makeUserData(plainRequest({ service: metadataService(service), token })).form).toBe('powershell');
});

test('what does not fit the form is refused', () => {
  const secret = { path: '/k/key', content: Buffer.from('x'), append: false, isProtected: true };
  for (const request of [
    plainRequest({ form: 'powershell', settings: { users: [{ name: 'capi' }] } }),
    plainRequest({ form: 'cloud-config', files: [secret] }),
  ]) {
    expect(() => makeUserData(request)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  }
});

test('user-data that the platform would not take is refused', () => {
  const large = { path: '/x', content: Buffer.alloc(60_000, 'x'), append: false, isProtected: false };
  expect(() => makeUserData(plainRequest({ service: metadataService('configdrive'), files: [large] }))).toThrow(
    /more than the 49149 that a config drive takes/,
  );
});

test('the order is the design: the secret after the preparation, the word of success at the very end', () => {
  const script = scriptOf(plainRequest({ commandsBefore: ['one', 'two'], commandsAfter: ['three'] }));
  const places = [
    "'before-1'",
    "'before-2'",
    "'join'",
    "'after-1'",
    'Write-Text $sentinel',
    '} catch {',
    '} finally {',
  ];
  const found = places.map((place) => script.lastIndexOf(place));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found).not.toContain(-1);
});

test.each([
  ['vsphere-guestinfo:guestinfo.x', false, 'before the machine starts. The machine removes it once it has joined.'],
  [
    'aws-secrets-manager:x',
    false,
    '; its identity must be allowed to read it and to delete it. The machine removes it',
  ],
  ['aws-secrets-manager:x', true, '; its identity must be allowed to read it. It stays there: remove it yourself.'],
])('the note on the token in %s (kept: %s) asks for no more than is needed', (store, keep, note) => {
  const token = { kind: 'store', store: parseSecretStore(store, { keep }) } as const;
  expect(makeUserData(plainRequest({ token })).notes).toEqual([expect.stringContaining(note)]);
});
