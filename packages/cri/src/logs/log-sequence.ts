import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import { instanceLogFiles, type InstanceLogFiles } from './log-files.ts';
import { openLogFile, type OpenLogFile } from './log-file.ts';

/** The log of one instance of a container. */
export interface LogOfInstance {
  /** The folder of the logs of its container. */
  readonly folder: string;
  /** How often the container had been restarted when the instance was made. */
  readonly attempt: number;
}

/** A place in the sequence of the files of a log: behind the rotated file of this name. */
export type LogPlace = string;

/** Before the first file. */
export const FIRST_PLACE: LogPlace = '';

/** What follows a place. */
export interface FollowingFile {
  readonly file: OpenLogFile;
  /** Whether the runtime wrote it when it was opened. */
  readonly isCurrent: boolean;
}

/** The files of a log, in the order of time, while they are rotated. */
export interface LogSequence {
  /** Opens the first file behind a place; `undefined` while there is none. */
  openAfter(place: LogPlace): Promise<FollowingFile | undefined>;
  /** The place behind the first file after a place, once that is rotated and another one follows it. */
  placeBehind(place: LogPlace): Promise<LogPlace | undefined>;
  /** The places in front of each file, the newest first. */
  placesFromEnd(): Promise<readonly LogPlace[]>;
}

/** The sequence of the files of a log. */
export function logSequence({ folder, attempt }: LogOfInstance): LogSequence {
  const list = async (): Promise<InstanceLogFiles> => instanceLogFiles(await namesIn(folder), attempt);
  return {
    async openAfter(place) {
      for (;;) {
        const files = await list();
        const next = files.rotated.find(({ base }) => base > place);
        const name = next?.name ?? (files.hasCurrent ? files.current : undefined);
        if (name === undefined) return undefined;
        const file = await openLogFile(join(folder, name), next?.isCompressed ?? false);
        // A rotation in between gives the names to other files.
        if (file !== undefined && sameNames(files, await list())) return { file, isCurrent: next === undefined };
        await file?.close();
      }
    },
    async placeBehind(place) {
      const { rotated, hasCurrent } = await list();
      const [own, next] = rotated.filter(({ base }) => base > place);
      return next !== undefined || hasCurrent ? own?.base : undefined;
    },
    async placesFromEnd() {
      const { rotated, hasCurrent } = await list();
      const places = [FIRST_PLACE, ...rotated.map(({ base }) => base)];
      return (hasCurrent ? places : places.slice(0, -1)).toReversed();
    },
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}

function sameNames(one: InstanceLogFiles, other: InstanceLogFiles): boolean {
  return sequenceText(one) === sequenceText(other);
}

function sequenceText({ hasCurrent, rotated }: InstanceLogFiles): string {
  return [hasCurrent, ...rotated.map(({ base }) => base)].join();
}
