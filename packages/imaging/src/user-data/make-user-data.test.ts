import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { metadataService } from '../cloudbase/service.ts';
import { CLOUDBASE_VERSIONS } from '../cloudbase/version.ts';
import { lintUserData } from '../lint/lint-user-data.ts';
import { makeUserData } from './make-user-data.ts';
import { parseSecretStore } from './secret-store.ts';
import { anyRequest, plainRequest, requestWithSecret, TOKEN } from './testing/requests.ts';
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

test('a secret in a file or a command is refused where the platform has a store, and noted elsewhere', () => {
  fc.assert(
    fc.property(requestWithSecret, ({ request, place }) => {
      if (request.service?.hasSecretStore === true) {
        const message = expect.stringMatching(new RegExp(`^Cannot put secrets into .*\\n  ${place}: an? `));
        expect(() => makeUserData(request)).toThrow(expect.objectContaining({ code: 'USAGE', message }));
      } else {
        expect(makeUserData(request).notes).toContainEqual(
          expect.stringMatching(new RegExp(`^${place}: the user-data contains an? `)),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('without a service a secret in a command is noted once, and the token of the join is not reported again', () => {
  const command = { text: `use ${TOKEN}`, place: '--pre-command, number 1' };
  expect(makeUserData(plainRequest()).notes).toHaveLength(1);
  expect(makeUserData(plainRequest({ commandsBefore: [command] })).notes).toEqual([
    expect.stringContaining('The user-data contains the token'),
    expect.stringContaining('--pre-command, number 1: the user-data contains a bootstrap token'),
  ]);
});

test('a secret anywhere else is noted, too', () => {
  const users = [{ name: 'capi', gecos: `x ${TOKEN}` }];
  expect(makeUserData(plainRequest({ settings: { users } })).notes).toContain('a bootstrap token can be read here.');
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

test('a store of another platform is refused, and one of the same platform is accepted', () => {
  const token = { kind: 'store', store: parseSecretStore('aws-secrets-manager:x', { keep: false }) } as const;
  expect(() => makeUserData(plainRequest({ service: metadataService('azure'), token }))).toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('aws-secrets-manager') }),
  );
  for (const service of ['ec2', 'nocloud'] as const)
    expect(makeUserData(plainRequest({ service: metadataService(service), token })).form).toBe('powershell');
});

test('what does not fit the form is refused', () => {
  const secret = { path: '/k/key', content: Buffer.from('x'), append: false, isProtected: true, place: '' };
  for (const request of [
    plainRequest({ form: 'powershell', settings: { users: [{ name: 'capi' }] } }),
    plainRequest({ form: 'cloud-config', files: [secret] }),
    plainRequest({ form: 'cloud-config', files: [{ ...secret, append: true }] }),
    plainRequest({ form: 'cloud-config', commandsAfter: [{ text: 'net user capi Passw0rd', place: '' }] }),
  ]) {
    expect(() => makeUserData(request)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  }
});

test.each([
  [{ append: false, isProtected: false }, 'open'],
  [{ append: true, isProtected: false }, 'append'],
  [{ append: false, isProtected: true }, 'protected'],
  [{ append: true, isProtected: true }, 'append-protected'],
])('a file that is to be %j is written as "%s"', (wish, kind) => {
  const script = scriptOf(plainRequest({ files: [{ path: '/k/x', content: Buffer.from('x'), place: '', ...wish }] }));
  expect(script).toMatch(new RegExp(`^ +Write-Bytes \\('C:\\\\k\\\\x'\\) .* '${kind}'$`, 'm'));
  expect(script).toContain(`$kind -eq '${kind === 'open' ? 'append' : kind}'`);
});

test.each([
  ['dir\nsc.exe query kubelet', /^Cannot run --pre-command, number 1: it has 2 lines/],
  [`if exist x (\r\n  del x\r\n)`, /^Cannot run --pre-command, number 1: it has 3 lines/],
  [`echo ${'x'.repeat(8187)}`, /^Cannot run --pre-command, number 1: cmd\.exe reads lines of 8191 letters/],
])('a command that cmd.exe would not run as it is meant is refused', (text, message) => {
  const command = { text, place: '--pre-command, number 1' };
  for (const request of [plainRequest({ commandsBefore: [command] }), plainRequest({ commandsAfter: [command] })]) {
    expect(() => makeUserData(request)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) }),
    );
  }
});

test.each(['dir\n', '\r\ndir\r\n\r\n', `echo ${'x'.repeat(8186)}`])('a command of one line is run: %#', (text) => {
  expect(makeUserData(plainRequest({ commandsBefore: [{ text, place: '' }] })).form).toBe('powershell');
});

test('user-data that the platform would not take is refused', () => {
  const large = { path: '/x', content: Buffer.alloc(60_000, 'x'), append: false, isProtected: false, place: '' };
  expect(() => makeUserData(plainRequest({ service: metadataService('configdrive'), files: [large] }))).toThrow(
    /more than the 49149 that a config drive takes/,
  );
});

test('the order is the design: the secret after the preparation, the word of success at the very end', () => {
  const script = scriptOf(
    plainRequest({
      commandsBefore: [
        { text: 'one', place: '' },
        { text: 'two', place: '' },
      ],
      commandsAfter: [{ text: 'three', place: '' }],
    }),
  );
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
