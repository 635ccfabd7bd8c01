import { packTar, type TarEntry } from 'modern-tar';
import { expect, test } from 'vitest';
import { readMember } from './read-member.ts';

const MEMBER = 'kubeedge/edge/edgecore';
const folder: TarEntry = { header: { name: 'kubeedge/', type: 'directory', size: 0 } };

function file(name: string, body: string): TarEntry {
  return { header: { name, size: body.length, type: 'file' }, body };
}

function link(type: 'link' | 'symlink' | 'fifo', name: string, linkname: string): TarEntry {
  return { header: { name, linkname, type, size: 0 } };
}

async function contentOf(tar: Uint8Array, pieceBytes = 100): Promise<string> {
  let content = '';
  const sink = {
    begin: async () => {},
    write: async (piece: Uint8Array) => void (content += Buffer.from(piece).toString()),
  };
  await readMember(inPieces(tar, pieceBytes), MEMBER, sink);
  return content;
}

async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

test('readMember hands over one member and nothing else', async () => {
  const body = 'agent '.repeat(10_000);
  const tar = await packTar([folder, file('kubeedge/version', 'v1'), file(MEMBER, body), file('kubeedge/cloud', 'c')]);
  expect(await contentOf(tar)).toBe(body);
  expect(await contentOf(tar, 100_000)).toBe(body);
});

test.each([512, 10_240, 65_536])(
  'readMember gets a member that begins in the piece of another, in %i bytes',
  async (size) => {
    const body = 'agent '.repeat(100_000);
    const inner: TarEntry = { header: { name: 'kubeedge/edge/', type: 'directory', size: 0 } };
    const tar = await packTar([folder, file('kubeedge/version', 'v1.23.1'), inner, file(MEMBER, body)]);
    expect(await contentOf(tar, size)).toBe(body);
  },
);

test.each([
  ['a name that climbs', file('kubeedge/../../etc/passwd', 'x')],
  ['a name that only climbs', file('..', 'x')],
  ['a name that climbs the Windows way', file('kubeedge\\..\\..\\x', 'x')],
  ['an absolute name', file('/etc/passwd', 'x')],
  ['a drive', file('C:\\Windows\\x', 'x')],
  ['a share', file('\\\\server\\share\\x', 'x')],
  ['a symbolic link', link('symlink', 'kubeedge/edge/link', '/etc/passwd')],
  ['a hard link', link('link', 'kubeedge/edge/link', MEMBER)],
  ['a link in the place of the member', link('symlink', MEMBER, '/etc/passwd')],
  ['a pipe', link('fifo', 'kubeedge/pipe', '')],
  ['the member twice', file(MEMBER, 'another agent')],
])('readMember refuses an archive with %s, before or after the member', async (_what, entry) => {
  for (const entries of [
    [entry, file(MEMBER, 'agent')],
    [file(MEMBER, 'agent'), entry],
  ]) {
    await expect(contentOf(await packTar(entries))).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  }
});

test('readMember refuses an archive without the member', async () => {
  await expect(contentOf(await packTar([folder]))).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
});

test('readMember refuses an archive that is cut off anywhere', async () => {
  const tar = await packTar([folder, file(MEMBER, 'agent '.repeat(200))]);
  for (let length = 0; length < tar.length - 512; length += 256) {
    await expect(contentOf(tar.subarray(0, length))).rejects.toThrow();
  }
});

test('readMember passes on what the sink says, and reads no further', async () => {
  const tar = await packTar([file(MEMBER, 'agent '.repeat(50_000)), file('kubeedge/more', 'x'.repeat(300_000))]);
  let pieces = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of inPieces(tar, 1000)) {
      pieces += 1;
      yield piece;
    }
  };
  const full = { begin: async () => Promise.reject(new Error('disk full')), write: async () => {} };
  await expect(readMember(counted(), MEMBER, full)).rejects.toThrow('disk full');
  expect(pieces).toBeLessThan(tar.length / 1000);
});
