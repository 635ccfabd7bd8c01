import { expect, test } from 'vitest';
import { EXAMPLE_BATCH_FILE } from './example-file.ts';
import { parseBatch } from './load-batch.ts';

const load = async (text: string) =>
  parseBatch({ text, path: 'batch.yaml', readableByOthers: true }, { variables: {} });

test('the example is sound as it stands', async () => {
  const { nodes, notes, keadm } = await load(EXAMPLE_BATCH_FILE);
  expect(nodes.map(({ name }) => name)).toEqual(['edge-1', 'edge-2']);
  expect(nodes[0]?.shownCommand).toEqual([
    'join',
    '--cloudcore-ipport=192.0.2.10:10000',
    '--edgenode-name=edge-1',
    '--token=***',
  ]);
  expect({ notes, keadm }).toEqual({ notes: [], keadm: { kind: 'own' } });
});

test('the keys that the example only shows are right where they stand', async () => {
  // The ways to log in are alternatives, and these folders and keys are not there.
  const left =
    /^ *# *(type|privateKeyAuth|privateKeyPath|passphrase|certificatePath|passwordAuth|password: env:NODE|keyboardI|answer|copyFrom|offlineP|keadmBinDir|hostKey)/;
  const shown = EXAMPLE_BATCH_FILE.split('\n')
    .filter((line) => !left.test(line))
    .map((line) => line.replace(/^( *)# ?( *)(- )?(?=\{|[\w]+:( |$))/, '$1$2$3'))
    .join('\n');
  const { policy, nodes, keadm } = await load(shown);
  expect(keadm).toMatchObject({ kind: 'download', version: 'v1.23.1' });
  expect(policy.waves.map(({ name }) => name)).toEqual(['canary', 'first', 'rest']);
  expect(policy.halt).toEqual({ failedPercent: 20, harmlessNodes: 0, failedNodes: 2 });
  expect(nodes[0]).toMatchObject({ become: { method: 'sudo' }, retries: { attempts: 4 }, os: 'linux' });
});
