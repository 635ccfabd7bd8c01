import { setFlagsFromString } from 'node:v8';

/** Names of V8's switches, and how they are set. */
type Switches = Readonly<Record<string, boolean>>;

/** Worth their time only where much is to be done: then they save a twelfth of it, for a tenth more memory. */
const COMPILERS: Switches = { opt: true, maglev: true };

/**
 * Looks through everything that lives, as soon as there is much of it. The library for SSH reserves 16 MB for a cipher that
 * is hardly ever used, and counted as if they were in use they are much: that would be before the first login begins.
 */
const COLLECTION: Switches = { 'incremental-marking': true, 'external-memory-accounted-in-global-limit': false };

/**
 * What is sent leaves as much garbage as there are bytes. Collected more often, it takes a third of the memory, and less
 * time, because it is still in the processor's caches. What has grown stays, so from here on it must not grow.
 */
const LITTLE_GARBAGE = '--semi-space-growth-factor=1';

/**
 * For whoever asks each node a question: that is over before V8's optimizing compilers have made up for the time they
 * take, a seventh of all that this process spends, and before there is garbage worth collecting.
 */
export function askLightly(): void {
  set(opposite(COMPILERS));
  set(opposite(COLLECTION));
}

/**
 * For whoever begins to send. What lives longer than a moment is little, and may grow by a fifth before it is looked
 * through, instead of to twice as much and more.
 */
export function sendLightly(): void {
  set(COMPILERS);
  set(COLLECTION);
  setFlags([LITTLE_GARBAGE, '--heap-growing-percent=20']);
}

/** For whoever works on many nodes: what is needed no more is given back at once, which takes a little more time. */
export function giveMemoryBack(): void {
  set(COLLECTION);
  setFlags([LITTLE_GARBAGE, '--optimize-for-size']);
}

function opposite(switches: Switches): Switches {
  return Object.fromEntries(Object.entries(switches).map(([name, isOn]) => [name, !isOn]));
}

function set(switches: Switches): void {
  setFlags(Object.entries(switches).map(([name, isOn]) => `--${isOn ? '' : 'no-'}${name}`));
}

function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}
