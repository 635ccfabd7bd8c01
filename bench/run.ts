import { BUILD, runStep } from '../scripts/run-step.ts';
import { batch } from './batch.bench.ts';
import { edgecore } from './edgecore.bench.ts';
import { hostTarget } from './executables.ts';
import { hub } from './hub.bench.ts';
import { lifecycle } from './lifecycle.bench.ts';
import { pods } from './pods.bench.ts';
import type { Benchmark, Ratio } from './ratio.ts';
import { startup } from './startup.bench.ts';

/** `npm run bench -- NAME…`: a table, then one JSON line; the exit code shows whether every bar holds. */
const BENCHMARKS: readonly Benchmark[] = [startup, edgecore, hub, lifecycle, batch, pods];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(
    `Error: Unknown benchmark "${unknown.join('", "')}". There are ${BENCHMARKS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

// With it in the environment, our executable starts itself a second time and Node.js reads the certificates.
Reflect.deleteProperty(process.env, 'NODE_EXTRA_CA_CERTS');
await runStep({ ...BUILD, args: ['build/build.ts', hostTarget().name] });
const ratios: Ratio[] = [];
for (const benchmark of BENCHMARKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  ratios.push(...(await benchmark.measure()));
}

const judged = ratios.map((each) => {
  const ratio = each.ours / each.theirs;
  return { ...each, ratio, holds: ratio <= each.bar };
});
for (const { name, ours, peer, theirs, unit, ratio, bar, holds } of judged) {
  const figures = `${ours.toFixed(1)} against ${theirs.toFixed(1)} ${unit}`;
  console.log(`${holds ? 'holds' : 'BROKEN'}  ${ratio.toFixed(2)}x (bar ${bar}x)  ${name} against ${peer}: ${figures}`);
}
console.log(JSON.stringify({ holds: judged.every(({ holds }) => holds), ratios: judged }));
process.exitCode = judged.every(({ holds }) => holds) ? 0 : 1;
