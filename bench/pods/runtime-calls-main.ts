/** Calls a runtime again and again: `runtime-calls-main.ts ENDPOINT CALLS`. Prints how much its memory has grown, in MB. */
import { setFlagsFromString } from 'node:v8';
import { connectRuntime } from '@fenestra/cri';
import { memoryOf } from '../edgecore/process-memory.ts';

// As the agent does.
setFlagsFromString('--semi-space-growth-factor=1');

const [endpoint = '', count = ''] = process.argv.slice(2);
const CALLS = Number(count);
/** By then V8 has found out how much room the old objects need. */
const WARM_UP = 40_000;
const AT_ONCE = 10;
const { signal } = new AbortController();
const runtime = connectRuntime(endpoint);

async function call(times: number): Promise<void> {
  for (let done = 0; done < times; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, async () => runtime.listContainers({}, signal)));
  }
}

await call(WARM_UP);
const before = memoryOf(process.pid).privateMegabytes;
await call(CALLS);
console.log(memoryOf(process.pid).privateMegabytes - before);
runtime.close();
