import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handlerOf, type Json, type Step } from '@fenestra/kernel';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mustRun } from '../../../e2e/support/beds/command.ts';

const { signal } = new AbortController();
const CONTENT = 'the piece';
const DIGEST = createHash('sha256').update(CONTENT).digest('hex');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-steps-'));
  await mkdir(join(folder, 'waiting'));
  await writeFile(join(folder, 'piece'), CONTENT);
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

function ports(): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  return { host: linuxHost(), secrets: new Map(), files: posixFileStore(), access: posixAccessControl(), services };
}

async function run(step: Step, direction: 'apply' | 'revert', before?: Json): Promise<Json> {
  const context = { ports: ports(), progress: () => {}, say: () => {} };
  const handler = handlerOf(STEP_HANDLERS, step);
  const found = before ?? (await handler.prepare(step, context, signal));
  await handler[direction](step, found, context, signal);
  return found;
}

function fetchStep(more: Readonly<Record<string, Json>> = {}): Step {
  const to = join(folder, 'waiting', 'piece');
  const downloads = join(folder, 'downloads');
  return {
    kind: 'fetch-piece',
    name: 'piece 1',
    location: join(folder, 'piece'),
    sha256: DIGEST,
    to,
    downloads,
    ...more,
  };
}

test('fetch-piece brings a piece, once, and removes it again', async () => {
  const before = await run(fetchStep(), 'apply');
  await run(fetchStep(), 'apply');
  expect(await readdir(join(folder, 'waiting'))).toEqual(['piece']);
  await run(fetchStep(), 'revert', before);
  expect(await readdir(join(folder, 'waiting'))).toEqual([]);
});

test('fetch-piece leaves nothing of a piece with another digest', async () => {
  const wrong = fetchStep({ sha256: '0'.repeat(64) });
  await expect(run(wrong, 'apply')).rejects.toThrow(`its sha256 digest is ${DIGEST}, but should be 000`);
  expect(await readdir(join(folder, 'waiting'))).toEqual([]);
});

test('fetch-piece takes a digest in capital letters', async () => {
  await run(fetchStep({ sha256: DIGEST.toUpperCase() }), 'apply');
  expect(await readFile(join(folder, 'waiting', 'piece'), 'utf8')).toBe(CONTENT);
});

test('fetch-piece puts a piece in its place only if the right key has signed it', async () => {
  const [one, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const location = join(folder, 'piece.sig');
  await writeFile(location, sign(null, Buffer.from(CONTENT), one.privateKey).toString('base64'));
  const signedBy = (pair: typeof one): Step =>
    fetchStep({ signature: { location, key: String(pair.publicKey.export({ type: 'spki', format: 'pem' })) } });
  const refused = run(signedBy(other), 'apply');
  await expect(refused).rejects.toMatchObject({ code: 'RELEASE_UNTRUSTED' });
  expect(await readdir(join(folder, 'waiting'))).not.toContain('piece');
  await run(signedBy(other), 'revert', null);
  expect(await readdir(join(folder, 'waiting'))).toEqual([]);
  await run(signedBy(one), 'apply');
  expect(await readdir(join(folder, 'waiting'))).toEqual(['piece']);
});

async function archiveOf(content: string): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin', 'program'), content);
  const archive = join(folder, `${content}.tar.gz`);
  await mustRun(['tar', '-czf', archive, '-C', folder, 'bin'], {}, signal);
  return archive;
}

test('unpack-archive puts a folder in the place of another, which comes back whole', async () => {
  const to = join(folder, 'place');
  const first: Step = { kind: 'unpack-archive', archive: await archiveOf('first'), part: 'bin', to };
  const second: Step = { kind: 'unpack-archive', archive: await archiveOf('second'), part: 'bin', to };
  const program = async (): Promise<string> => readFile(join(to, 'program'), 'utf8');
  const blank = await run(first, 'apply');
  expect(await program()).toBe('first');
  const before = await run(second, 'apply');
  // As after a crash in the middle of it.
  await run(second, 'apply', before);
  expect(await program()).toBe('second');
  await run(second, 'revert', before);
  await run(second, 'revert', before);
  expect(await program()).toBe('first');
  await run(first, 'revert', blank);
  expect((await readdir(folder)).filter((name) => name.startsWith('place'))).toEqual([]);
});

test('unpack-archive leaves what is there if the archive is none', async () => {
  const to = join(folder, 'place');
  await run({ kind: 'unpack-archive', archive: await archiveOf('first'), part: 'bin', to }, 'apply');
  const broken: Step = { kind: 'unpack-archive', archive: join(folder, 'piece'), part: 'bin', to };
  await expect(run(broken, 'apply')).rejects.toThrow('not a gzipped tar archive');
  await run(broken, 'revert', { hadFolder: true });
  expect(await readFile(join(to, 'program'), 'utf8')).toBe('first');
  expect((await readdir(folder)).filter((name) => name.startsWith('place'))).toEqual(['place']);
});
