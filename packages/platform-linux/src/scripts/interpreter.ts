import { open } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';

const FIRST_LINE_BYTES = 256;

/** What runs a script that may not be executed by itself. */
export async function interpreterOf(path: string): Promise<string> {
  return interpreterIn(await firstBytes(path));
}

/** `bash` if the first line asks for it, the system's shell otherwise. */
export function interpreterIn(text: string): 'bash' | '/bin/sh' {
  const [firstLine = ''] = text.split('\n', 1);
  return /^#!.*\bbash\b/.test(firstLine) ? 'bash' : '/bin/sh';
}

async function firstBytes(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
}
