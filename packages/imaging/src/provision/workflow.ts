import type { Phase } from '@fenestra/kernel';
import { createFolders } from './phases/create-folders.ts';
import { fetchPieces } from './phases/fetch-pieces.ts';
import { installCloudbase } from './phases/install-cloudbase.ts';
import { installContainerd } from './phases/install-containerd.ts';
import { placeOwnPrograms } from './phases/place-own-programs.ts';
import { setUpSystem } from './phases/set-up-system.ts';
import { tidyUp } from './phases/tidy-up.ts';
import { writeProvenance } from './phases/write-provenance.ts';
import type { ProvisionFacts } from './provision-facts.ts';

/** Everything before a worker's own parts: all pieces are proved before the first of them is used. */
export const BEFORE_ROLE: readonly Phase<ProvisionFacts>[] = [
  fetchPieces,
  createFolders,
  installContainerd,
  placeOwnPrograms,
];

/** Everything after them. What the image is made of is written down when it is true. */
export const AFTER_ROLE: readonly Phase<ProvisionFacts>[] = [installCloudbase, setUpSystem, writeProvenance, tidyUp];
