import type { Phase } from '@fenestra/kernel';
import type { BackupFacts } from './facts.ts';
import { createFolder } from './phases/create-folder.ts';
import { writeArchive } from './phases/write-archive.ts';

/** A backup changes nothing of the node: it only reads. */
export const BACK_UP: readonly Phase<BackupFacts>[] = [createFolder, writeArchive];
