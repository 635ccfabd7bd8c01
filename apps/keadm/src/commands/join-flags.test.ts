import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloudPlace, toLabels, toRestartDelays, type JoinFlags, readToken } from './join-flags.ts';
import { collect, toSeconds } from './lifecycle-options.ts';

const flags: JoinFlags = { dryRun: false, scriptLimit: 1, wait: 1, settle: 1, set: [], trustKey: [], skipCheck: [] };

test.each<[Partial<JoinFlags>, object]>([
  [{ cloudcoreIp: '10.0.0.5' }, { host: '10.0.0.5' }],
  [
    { cloudcoreIp: 'cloud.example', hubPort: 1, certport: 2 },
    { host: 'cloud.example', hubPort: 1, certificatePort: 2 },
  ],
  [{ cloudcoreIpport: '10.0.0.5:12000' }, { host: '10.0.0.5', hubPort: 12_000 }],
  [{ cloudcoreIp: 'fd00::5' }, { host: 'fd00::5' }],
  [{ cloudcoreIpport: '[fd00::5]:12000' }, { host: 'fd00::5', hubPort: 12_000 }],
])('cloudPlace: %j is %j', (given, place) => {
  expect(cloudPlace({ ...flags, ...given })).toEqual({ hubPort: undefined, certificatePort: undefined, ...place });
});

test.each(
  [
    ['https://cloud', 'cloud:port', 'cloud:0', 'cloud:70000', 'a b', '[cloud]:1', 'user@cloud', ''],
    ['256.1.1.1', '256.1.1.1:10000', '1.2.3', '10.0.0.0x5', 'a?b', 'a#b', 'a\\b', 'a%41', '[::1%lo]', 'cloud\0'],
  ].flat(),
)('cloudPlace refuses "%s"', (cloudcoreIp) => {
  expect(() => cloudPlace({ ...flags, cloudcoreIp })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('cloudPlace may leave the cloud to a configuration, but not to chance', () => {
  expect(cloudPlace({ ...flags, config: 'edgecore.yaml' })).toBeUndefined();
  expect(() => cloudPlace(flags)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('toLabels takes pairs, of which the value may hold "=" or be empty', () => {
  expect(toLabels(['zone=north', 'a/b=c=d', 'bare='])).toEqual({ zone: 'north', 'a/b': 'c=d', bare: '' });
  expect(() => toLabels(['zone'])).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('collect takes an option given twice, or once with commas', () => {
  expect(collect('c', collect('a,b'))).toEqual(['a', 'b', 'c']);
});

test.each([
  ['90', 90],
  ['90s', 90],
  ['1m30s', 90],
  ['500ms', 0.5],
  ['0s', 0],
])('toSeconds: %s is %d', (text, seconds) => {
  expect(toSeconds(text)).toBe(seconds);
});

test.each(['', '-5s', 'soon', '5 s', '1d', '9999999', '1000h', '1e9'])('toSeconds refuses "%s"', (text) => {
  expect(() => toSeconds(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each([
  ['5', [5]],
  ['60, 120,300', [60, 120, 300]],
  ['1,1,3600', [1, 1, 3600]],
])('toRestartDelays takes "%s"', (text, delays) => {
  expect(toRestartDelays(text)).toEqual(delays);
});

test.each(['', '0', '1.5', '5,3', '3601', '1,,2', '-1', 'soon', '1,2,3,4,5,6,7,8,9,10,11'])(
  'toRestartDelays refuses "%s"',
  (text) => {
    expect(() => toRestartDelays(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  },
);

function source(variables: Readonly<Record<string, string>> = {}) {
  const written = { err: '' };
  const terminal = { out: () => {}, err: (text: string) => void (written.err += text) };
  return { written, environment: { variables, readInput: async () => ' typed\n', terminal } };
}

test('readToken takes a flag, and says that the process list shows it, without showing it', async () => {
  const { written, environment } = source({ KEADM_TOKEN: 'variable' });
  expect(await readToken(environment, { token: 'secret-flag' })).toBe('secret-flag');
  expect(written.err).toContain('process list');
  expect(written.err).not.toContain('secret-flag');
});

test('readToken takes standard input, a file or a variable without a word', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'token-'));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'filed\n', { mode: 0o600 });
  const { written, environment } = source({ KEADM_TOKEN: 'variable' });
  expect(await readToken(environment, { token: '-' })).toBe('typed');
  expect(await readToken(environment, { tokenFile })).toBe('filed');
  expect(await readToken(environment, {})).toBe('variable');
  expect(await readToken(source().environment, {})).toBeUndefined();
  expect(written.err).toBe('');
  await rm(folder, { recursive: true });
});

test('readToken refuses two tokens, and a file that is not there', async () => {
  const { environment } = source();
  const both = readToken(environment, { token: 'a', tokenFile: 'b' });
  await expect(both).rejects.toMatchObject({ code: 'USAGE' });
  const absent = readToken(environment, { tokenFile: '/no/such/file' });
  await expect(absent).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});
