import type { DatabaseSync } from 'node:sqlite';
import { type Checksums, selectChecked } from './checksums.ts';
import type { MetaStore } from './meta-store.ts';
import { inTransaction, prepareStatement, textIn } from './statement.ts';

type PodMethods = 'deletePodRecord' | 'listPodRecords' | 'putPodRecord';

/** Table `fenestra_pod`: what the agent must remember of each pod that it runs. */
export function podTable(database: DatabaseSync, checksums: Checksums): Pick<MetaStore, PodMethods> {
  const list = prepareStatement(database, selectChecked('fenestra_pod', ''));
  const put = prepareStatement(database, 'INSERT OR REPLACE INTO fenestra_pod (key, value) VALUES (?, ?)');
  const remove = prepareStatement(database, 'DELETE FROM fenestra_pod WHERE key = ?');
  return {
    listPodRecords: () =>
      checksums
        .sound('fenestra_pod', list.all())
        .map((row) => ({ uid: textIn(row, 'key'), value: textIn(row, 'value') })),
    putPodRecord: ({ uid, value }) =>
      inTransaction(database, () => {
        put.run(uid, value);
        checksums.mark('fenestra_pod', { key: uid, value });
      }),
    deletePodRecord: (uid) => void remove.run(uid),
  };
}
