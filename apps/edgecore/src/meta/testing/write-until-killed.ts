import { argv, stdout } from 'node:process';
import { silentLogger } from '@fenestra/platform';
import { openMetaStore } from '../store/open-meta-store.ts';

/** A program for tests: writes pairs of rows for ever and prints a number when both are acknowledged. */
function writeUntilKilled(file: string): void {
  const store = openMetaStore(file, { log: silentLogger(), now: () => new Date() });
  const kind = { group: '', version: 'v1', plural: 'configmaps' };
  const value = JSON.stringify({ filler: 'x'.repeat(3_000) });
  for (let count = 1; ; count += 1) {
    const name = `cm${count % 500}`;
    store.transaction(() => {
      store.putMeta({ key: `default/configmap/${name}`, type: 'configmap', value: `${count}${value}` });
      store.putObject({ kind, namespace: 'default', name, resourceVersion: BigInt(count), value: `${count}${value}` });
    });
    stdout.write(`${count}\n`);
  }
}

writeUntilKilled(argv[2] ?? '');
