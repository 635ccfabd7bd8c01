import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { RemoteHost, RemoteTarget } from '../remote/remote-host.ts';
import { type ContractCase, contractCase, rejectsWith, soon } from './case.ts';
import type { RemoteBed } from './beds.ts';

const FLOOD_BYTES = 24 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const SHORT_SECONDS = 2;

/** What every `RemoteHosts` must do. */
export function remoteHostsContract(bed: RemoteBed): readonly ContractCase[] {
  return [...commandCases(bed), ...endingCases(bed), ...uploadCases(bed), ...hostKeyCases(bed), ...loginCases(bed)];
}

function commandCases(bed: RemoteBed): readonly ContractCase[] {
  return [
    contractCase('a command gets its input, and its output, errors and exit code come back', async () => {
      const result = await run(bed, 'cat; echo to errors >&2; exit 3', 'some input');
      assert.deepEqual(result, { output: 'some input', errors: 'to errors\n', exitCode: 3 });
    }),
    contractCase('a command line goes there as it is', async () => {
      const { output } = await run(bed, `printf '%s|' "a b" 'c"d' "$((1+1))" é`);
      assert.equal(output, 'a b|c"d|2|é|');
    }),
    contractCase('much goes both ways at once without loss', async () => {
      await withHost(bed, async (host) => {
        const process = await host.start('cat', soon());
        const sent = pipeline(flood(), process.input);
        let size = 0;
        for await (const chunk of process.output) size += Buffer.isBuffer(chunk) ? chunk.length : 0;
        await sent;
        assert.equal(size, FLOOD_BYTES);
        assert.deepEqual(await process.ended, { exitCode: 0 });
      });
    }),
    contractCase('a command that reads slowly slows the writer down', async () => {
      await withHost(bed, async (host) => {
        const process = await host.start('sleep 1; cat >/dev/null', soon());
        let taken = 0;
        while (process.input.write(Buffer.alloc(CHUNK_BYTES)) && taken < FLOOD_BYTES) taken += CHUNK_BYTES;
        assert.ok(taken < FLOOD_BYTES, 'nothing held the writer back');
        process.input.end();
        process.output.resume();
        assert.deepEqual(await process.ended, { exitCode: 0 });
      });
    }),
    contractCase('several commands run at once over one connection', async () => {
      await withHost(bed, async (host) => {
        const numbers = [1, 2, 3, 4, 5];
        const outputs = await Promise.all(numbers.map(async (number) => runOn(host, `sleep 0.2; echo ${number}`)));
        assert.deepEqual(
          outputs.map(({ output }) => Number(output)),
          numbers,
        );
      });
    }),
    contractCase(
      'a death by signal is 128 and its number',
      async () => assert.equal((await run(bed, 'kill -9 $$')).exitCode, 137),
      bed.skips?.['death by signal'],
    ),
  ];
}

function endingCases(bed: RemoteBed): readonly ContractCase[] {
  return [
    contractCase('a signal that fires ends the command here', async () => {
      await withHost(bed, async (host) => {
        const interrupt = new AbortController();
        const process = await host.start('sleep 60', interrupt.signal);
        interrupt.abort();
        await rejectsWith('INTERRUPTED', async () => process.ended);
        assert.equal((await runOn(host, 'echo still here')).output, 'still here\n');
      });
    }),
    contractCase('a connection that is cut is lost, for what runs and for what comes', async () => {
      await withHost(bed, async (host) => {
        const process = await host.start('echo begun; sleep 60', soon());
        for await (const chunk of process.output) {
          assert.match(String(chunk), /begun/);
          break;
        }
        bed.cutConnections();
        await rejectsWith('REMOTE_LOST', async () => process.ended);
        await rejectsWith('REMOTE_LOST', async () => (await host.start('true', soon())).ended);
      });
    }),
    contractCase('writing to a command that has ended does not hang', async () => {
      await withHost(bed, async (host) => {
        const process = await host.start('exit 0', soon());
        process.output.resume();
        process.errors.resume();
        await pipeline(flood(), process.input).catch(() => undefined);
        assert.deepEqual(await process.ended, { exitCode: 0 });
      });
    }),
    contractCase('closing twice is fine, and nothing can be started afterwards', async () => {
      const host = await bed.hosts.connect(bed.target, soon());
      await host.close();
      await host.close();
      await rejectsWith('REMOTE_LOST', async () => (await host.start('true', soon())).ended);
    }),
  ];
}

function uploadCases(bed: RemoteBed): readonly ContractCase[] {
  const path = `${bed.folder}/uploaded file`;
  return [
    contractCase('a file arrives whole, with its rights, and replaces another', async () => {
      await withHost(bed, async (host) => {
        for (const mode of [0o600, 0o750]) {
          await host.upload({ path, mode, size: FLOOD_BYTES, content: flood }, soon());
          const { output } = await runOn(host, `stat -c '%s %a' '${path}'; ls '${bed.folder}' | wc -l`);
          assert.deepEqual(output.split(/\s+/).slice(0, 3), [String(FLOOD_BYTES), mode.toString(8), '1']);
        }
      });
    }),
    contractCase('what cannot be written there is reported, and nothing is left', async () => {
      const file = { path: '/no such folder/file', mode: 0o600, size: 1, content: one };
      await withHost(bed, async (host) => rejectsWith('DELIVERY_FAILED', async () => host.upload(file, soon())));
    }),
    contractCase('a content of another size than was said is refused', async () => {
      const file = { path, mode: 0o600, size: 2, content: one };
      await withHost(bed, async (host) => rejectsWith('DELIVERY_FAILED', async () => host.upload(file, soon())));
    }),
  ];
}

function hostKeyCases(bed: RemoteBed): readonly ContractCase[] {
  return [
    contractCase('a machine whose key is not known is refused, and its fingerprint is shown', async () => {
      const error = await refusal(bed, { host: bed.unknownName }, 'HOST_KEY_UNKNOWN');
      assert.ok(error.message.includes(bed.fingerprint), error.message);
    }),
    contractCase('a machine with another key than the known one is refused, and the line is named', async () => {
      const error = await refusal(bed, { host: bed.changedName }, 'HOST_KEY_CHANGED');
      assert.match(error.message, /:\d+/);
    }),
    contractCase('a pinned key is taken, whatever the files say', async () => {
      for (const pin of [bed.fingerprint, bed.hostKey])
        for (const host of [bed.unknownName, bed.changedName])
          await (await bed.hosts.connect({ ...bed.target, host, hostKeys: ['SHA256:other', pin] }, soon())).close();
    }),
    contractCase('another key than the pinned one is refused, whatever the files say', async () => {
      const error = await refusal(bed, { hostKeys: ['SHA256:other'] }, 'HOST_KEY_CHANGED');
      assert.ok(error.message.includes(bed.fingerprint), error.message);
    }),
    contractCase('a machine is reached through others, each of which is checked under its own name', async () => {
      const host = await bed.hosts.connect({ ...bed.target, jumps: bed.jumps }, soon());
      assert.equal((await runOn(host, 'echo there')).output, 'there\n');
      await host.close();
      const [first, ...others] = bed.jumps;
      assert.ok(first !== undefined, 'the bed has no machine on the way');
      await refusal(bed, { jumps: [{ ...first, host: bed.unknownName }, ...others] }, 'HOST_KEY_UNKNOWN');
    }),
  ];
}

function loginCases(bed: RemoteBed): readonly ContractCase[] {
  const limits = { connectSeconds: SHORT_SECONDS, idleTimeoutSeconds: SHORT_SECONDS };
  return [
    contractCase('a key that is not let in is refused, with what was tried and what is offered', async () => {
      const error = await refusal(bed, { auth: [{ kind: 'key', path: bed.strangeKey }] }, 'REMOTE_AUTH');
      assert.match(error.message, /tried .*key.*offers .*publickey/);
    }),
    contractCase('a port on which nothing listens is unreachable', async () => {
      await refusal(bed, { port: bed.deadPort }, 'REMOTE_UNREACHABLE');
    }),
    contractCase('a machine that says nothing is given up at the limit', async () => {
      const began = Date.now();
      await refusal(bed, { port: bed.mutePort, limits }, 'REMOTE_TIMEOUT');
      assert.ok(Date.now() - began < 3 * SHORT_SECONDS * 1000, 'it took too long');
    }),
    contractCase('connecting stops when the signal fires, and does not begin after it', async () => {
      const target = { ...bed.target, port: bed.mutePort };
      await rejectsWith('INTERRUPTED', async () => bed.hosts.connect(target, AbortSignal.abort()));
      const interrupt = new AbortController();
      setTimeout(() => interrupt.abort(), 100);
      await rejectsWith('INTERRUPTED', async () => bed.hosts.connect(target, interrupt.signal));
    }),
  ];
}

interface Result {
  readonly output: string;
  readonly errors: string;
  readonly exitCode: number;
}

async function run(bed: RemoteBed, commandLine: string, input = ''): Promise<Result> {
  return withHost(bed, async (host) => runOn(host, commandLine, input));
}

async function runOn(host: RemoteHost, commandLine: string, input = ''): Promise<Result> {
  const process = await host.start(commandLine, soon());
  process.input.end(input);
  const [output, errors] = await Promise.all([text(process.output), text(process.errors)]);
  return { output, errors, ...(await process.ended) };
}

async function withHost<T>(bed: RemoteBed, work: (host: RemoteHost) => Promise<T>): Promise<T> {
  const host = await bed.hosts.connect(bed.target, soon());
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

async function refusal(
  bed: RemoteBed,
  change: Partial<RemoteTarget>,
  code: Parameters<typeof rejectsWith>[0],
): ReturnType<typeof rejectsWith> {
  return rejectsWith(code, async () => (await bed.hosts.connect({ ...bed.target, ...change }, soon())).close());
}

async function* flood(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < FLOOD_BYTES; sent += CHUNK_BYTES) yield Buffer.alloc(CHUNK_BYTES, sent / CHUNK_BYTES);
}

async function* one(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
}
