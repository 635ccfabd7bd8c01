import { open, stat, truncate } from 'node:fs/promises';

/** A stretch that is code in the executables of every system, and far too much of it to do without. */
const CODE = { from: 8 * 1024 * 1024, length: 16 * 1024 * 1024 };

/** Cuts the second half off. */
export async function truncateHalf(file: string): Promise<void> {
  await truncate(file, await middleOf(file));
}

/** Changes one bit of one byte in the middle. */
export async function flipByte(file: string): Promise<void> {
  const at = await middleOf(file);
  const handle = await open(file, 'r+');
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
    await handle.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at);
  } finally {
    await handle.close();
  }
}

/** Overwrites a stretch of its code: it still looks like a program, and cannot run. */
export async function corruptCode(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(Buffer.alloc(CODE.length), 0, CODE.length, CODE.from);
  } finally {
    await handle.close();
  }
}

async function middleOf(file: string): Promise<number> {
  return Math.floor((await stat(file)).size / 2);
}
