import { readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeExecutable } from './make-executable.ts';
import { sourceDigest } from './source-digest.ts';
import { buildStamp } from './stamp.ts';
import { TARGETS, type Target } from './targets.ts';

/** `npm run build [-- TARGET…]`: makes the executables that the sources have outdated, all of them unless some are named. */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !TARGETS.some((target) => target.name === name));
if (unknown.length > 0) {
  console.error(
    `Error: Unknown target "${unknown.join('", "')}". There are ${TARGETS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const madeFrom = JSON.stringify([sourceDigest(), buildStamp()]);
for (const target of TARGETS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  if (isMade(target)) console.log(`${target.name}  is up to date`);
  else await make(target);
}

async function make(target: Target): Promise<void> {
  const started = performance.now();
  const executable = await makeExecutable(target);
  writeFileSync(noteOf(target), madeFrom);
  const megabytes = ((await stat(executable)).size / 1e6).toFixed(0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${target.name}  ${executable}  ${megabytes} MB  ${seconds} s`);
}

function isMade(target: Target): boolean {
  try {
    return readFileSync(noteOf(target), 'utf8') === madeFrom;
  } catch {
    return false;
  }
}

/** What an executable was made from is written beside it. */
function noteOf({ name }: Target): string {
  return join(import.meta.dirname, '..', 'dist', name, '.made-from');
}
