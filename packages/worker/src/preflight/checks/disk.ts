import { bytesText } from '@fenestra/platform';
import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Configuration, certificates, journal and log. */
const ROOM_FOR_THE_REST = 128 * 1024 ** 2;

/** Whether there is room for the programs: each is there twice until it is in its place. */
export const disk: Check = {
  name: 'disk',
  judge({ programDisk: { path, freeBytes }, programBytes }) {
    const needed = 2 * programBytes + ROOM_FOR_THE_REST;
    const found = `${bytesText(freeBytes)} free at "${path}", ${bytesText(needed)} needed`;
    return freeBytes >= needed ? pass(found) : fail(found, `Free at least ${bytesText(needed)}.`);
  },
};
