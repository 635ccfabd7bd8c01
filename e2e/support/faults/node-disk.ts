import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import { cacheFolder } from '../beds/cache.ts';
import { CHECKOUT } from '../beds/checkout.ts';
import { mustRun } from '../beds/command.ts';
import { unlimited } from '../cloud/patience.ts';
import { type KeadmMachine, pathOn } from '../machines/keadm-machine.ts';
import { processOf } from './machine-processes.ts';

/** The one disk of a test machine, which can be made as small as a test wants it. */
export interface NodeDisk {
  /** Does the work while there are only so many bytes of room, in whole pages. */
  withRoom<T>(bytes: number, work: () => Promise<T>): Promise<T>;
  /** Takes all the room there is, as someone else's program would, until that work is done. */
  fill(): void;
  /** Takes all but so many bytes of the room that there was when the work began, used by now or not. */
  fillUpTo(bytes: number): Promise<void>;
}

/** Why an agent cannot be started on a full disk of a Windows machine of ours. */
export const NOT_NOTICED_BY_WINE =
  "Wine does not notice the death of an agent that cannot map a page of its database's index";

/** Where the beds have the memory that all files of a machine are in. */
const MEMORY = join(cacheFolder(), 'mount-point');
const USUAL_SIZE = '50%';
/** Large ones to be quick, small ones to leave nothing. */
const CHUNKS = [1024 * 1024, 4096];

/** Finds the disk of a machine. The bed's own scratch folder is taken off it, for the bed must go on working. */
export async function diskOf(machine: KeadmMachine): Promise<NodeDisk> {
  const inside = ['nsenter', `--target=${mounterOf(processOf(machine))}`, '--mount'];
  const run = async (...argv: readonly string[]): Promise<unknown> => mustRun([...inside, ...argv], {}, unlimited());
  const resize = async (size: string): Promise<unknown> => run('mount', '-o', `remount,size=${size}`, MEMORY);
  if (machine.target === 'windows-x64') {
    await run('mount', '-t', 'tmpfs', 'tmpfs', join(MEMORY, 'root/tmp'));
    // The programs come from the checkout, which may itself lie below what was just covered.
    await run('mkdir', '--parents', join(MEMORY, 'root', CHECKOUT));
    await run('mount', '--bind', CHECKOUT, join(MEMORY, 'root', CHECKOUT));
    // Wine's server listens in that folder; the next program would start another one, with its own environment.
    await machine.node.reboot();
  }
  let usedBefore = 0;
  const filler = machine.node.hostPath(pathOn(machine, machine.paths.ownFolder, 'filler'));
  return {
    async withRoom(bytes, work) {
      const { blocks, bfree, bsize } = await statfs(machine.node.hostPath(machine.paths.ownFolder));
      usedBefore = (blocks - bfree) * bsize;
      await resize(`${usedBefore + bytes}`);
      try {
        return await work();
      } finally {
        await rm(filler, { force: true });
        await resize(USUAL_SIZE);
      }
    },
    async fillUpTo(bytes) {
      await resize(`${usedBefore + Math.round(bytes)}`);
    },
    fill() {
      const file = openSync(filler, 'w');
      for (const size of CHUNKS) writeUntilFull(file, Buffer.alloc(size));
      closeSync(file);
    },
  };
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOSPC') throw error;
  }
}

/** The nearest process, going up from this one, that sees the disk itself and not only what is on it. */
function mounterOf(pid: number): number {
  if (readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(` ${MEMORY} `)) return pid;
  const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (parent === undefined || parent === '0') throw new Error('No one sees the disk of this machine');
  return mounterOf(Number(parent));
}
