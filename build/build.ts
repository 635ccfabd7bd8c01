import { stat } from 'node:fs/promises';
import { makeExecutable } from './make-executable.ts';
import { TARGETS } from './targets.ts';

/** `npm run build [-- TARGET…]`: makes the executables, all of them unless some are named. */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !TARGETS.some((target) => target.name === name));
if (unknown.length > 0) {
  console.error(
    `Error: Unknown target "${unknown.join('", "')}". There are ${TARGETS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

for (const target of TARGETS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const started = performance.now();
  const executable = await makeExecutable(target);
  const megabytes = ((await stat(executable)).size / 1e6).toFixed(0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${target.name}  ${executable}  ${megabytes} MB  ${seconds} s`);
}
