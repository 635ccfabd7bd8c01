import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { ContractCase } from '@fenestra/platform/contract';
import { scmServices } from '@fenestra/platform-windows';
import { scratchFolder, soon, type WindowsBed, withService } from './windows-bed.ts';

/** What Windows says of what is not a program at all, and of one for another CPU, for which Wine has no separate message. */
const NO_PROGRAM = [193, 216];
const ARM64 = 0xaa64;
const PE_HEADER_AT = 0x3c;
const SOME_PROGRAM = String.raw`C:\windows\system32\notepad.exe`;

const BROKEN: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  empty: async () => new Uint8Array(),
  text: async () => Buffer.from('This is not a program.\r\n'),
  truncated: async () => (await readFile(SOME_PROGRAM)).subarray(0, 256),
  'for another CPU': async () => withMachine(await readFile(SOME_PROGRAM), ARM64),
};

/** Programs that cannot run as a service. */
export function brokenProgramCases(bed: WindowsBed): readonly ContractCase[] {
  const broken = Object.entries(BROKEN).map(([kind, content]) => ({
    name: `a service whose program is ${kind} does not start, and the error says why`,
    run: async () => {
      const executable = join(await scratchFolder(bed), 'broken.exe');
      await writeFile(executable, await content());
      await withService(bed, { executable }, async ({ name }) => {
        const start = scmServices(bed.native).start(name, soon());
        await assert.rejects(start, isNoProgram);
      });
    },
  }));
  return [...broken, outsideCase(bed)];
}

function isNoProgram(error: unknown): boolean {
  if (!(error instanceof OperatorError)) return false;
  return error.code === 'SERVICE_FAILED' && NO_PROGRAM.includes(Number(error.details['win32']));
}

function outsideCase({ folder, program }: WindowsBed): ContractCase {
  return {
    name: 'a service program that is started manually says that the service manager did not start it',
    run: async () => {
      const { executable, args } = program('windows-by-hand', join(folder, 'by-hand.notes'), 'serve');
      const { code, stderr } = await runToEnd(executable, args);
      assert.notEqual(code, 0);
      assert.match(stderr, /the service manager did not start it/);
    },
  };
}

/** A program whose header names another CPU: the field is the first one after the signature "PE". */
function withMachine(program: Buffer, machine: number): Buffer {
  program.writeUInt16LE(machine, program.readUInt32LE(PE_HEADER_AT) + 4);
  return program;
}

async function runToEnd(executable: string, args: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; stderr: string }>();
  const child = execFile(executable, [...args], { timeout: 20_000 }, (_error, _stdout, stderr) =>
    resolve({ code: child.exitCode, stderr }),
  );
  return promise;
}
