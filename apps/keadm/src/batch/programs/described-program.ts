import { open, stat } from 'node:fs/promises';
import { versionTag } from '@fenestra/contracts';
import { fileError, OperatorError } from '@fenestra/kernel';
import { executableTarget } from '@fenestra/releases/executable-target';
import { targetName, type FoundProgram, type ProgramTarget } from './program-target.ts';

const HEADER_BYTES = 4096;

/** A file as the executable for this kind of machine; refused if it is none. */
export async function describedProgram(path: string, target: ProgramTarget, version: string): Promise<FoundProgram> {
  const found = executableTarget(await headOf(path));
  if (found?.os !== target.os || found.arch !== target.arch) throw wrongKind(path, target, found);
  return { path, version: versionTag(version), size: (await stat(path)).size };
}

async function headOf(path: string): Promise<Buffer> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
}

function wrongKind(path: string, target: ProgramTarget, found: ReturnType<typeof executableTarget>): OperatorError {
  const is = found === undefined ? 'no program for either system' : `for ${found.os}-${found.arch}`;
  return new OperatorError('RELEASE_INVALID', `Cannot send "${path}" to ${targetName(target)} machines: it is ${is}`, {
    hint: `Give the right one with "--program ${targetName(target)}=PATH".`,
  });
}
