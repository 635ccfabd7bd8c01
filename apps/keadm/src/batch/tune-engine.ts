import { setFlagsFromString } from 'node:v8';

/** Worth their time only where much is to be done. */
const COMPILERS: readonly string[] = ['opt', 'maglev'];

/**
 * What is sent leaves as much garbage as there are bytes. Collected more often, it takes a third of the memory, and less
 * time, because it is still in the processor's caches. What has grown stays, so from here on it must not grow.
 */
const LITTLE_GARBAGE = '--semi-space-growth-factor=1';

/**
 * For whoever asks each node a question: that is over before V8's optimizing compilers have made up for the time they
 * take, a seventh of all that this process spends.
 */
export function askLightly(): void {
  setFlags(COMPILERS.map((name) => `--no-${name}`));
}

/**
 * For whoever begins to send. What lives longer than a moment is little, and may grow by a fifth before it is looked
 * through, instead of to twice as much and more.
 */
export function sendLightly(): void {
  setFlags([LITTLE_GARBAGE, '--heap-growing-percent=20']);
}

/** For whoever sends to few nodes: the compilers save up to a twelfth of the time, for a tenth more memory. */
export function sendQuickly(): void {
  setFlags(COMPILERS.map((name) => `--${name}`));
}

/** For whoever works on many nodes: what is needed no more is given back at once, which takes a little more time. */
export function giveMemoryBack(): void {
  setFlags([LITTLE_GARBAGE, '--optimize-for-size']);
}

function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}
