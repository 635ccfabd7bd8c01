import type { DatabaseSync } from 'node:sqlite';
import { checkedTable, type Checksums } from './checksums.ts';
import type { MetaStore } from './meta-store.ts';
import { inTransaction, prepareStatement, textIn } from './statement.ts';

type PodMethods = 'deletePodRecord' | 'getPodToken' | 'listPodRecords' | 'putPodRecord' | 'putPodToken';

/** Tables `fenestra_pod` and `fenestra_pod_token`: what the agent must remember of each pod that it runs. */
export function podTable(database: DatabaseSync, checksums: Checksums): Pick<MetaStore, PodMethods> {
  const records = checkedTable(database, checksums, 'fenestra_pod');
  const tokens = checkedTable(database, checksums, 'fenestra_pod_token');
  const list = records.reader('');
  const token = tokens.reader('WHERE fenestra_pod_token.key = ?');
  const removeTokens = prepareStatement(database, 'DELETE FROM fenestra_pod_token WHERE uid = ?');
  return {
    listPodRecords: () => list().map((row) => ({ uid: textIn(row, 'key'), value: textIn(row, 'value') })),
    putPodRecord: ({ uid, value }) => records.put({ key: uid, value }),
    deletePodRecord: (uid) =>
      inTransaction(database, () => {
        records.remove(uid);
        removeTokens.run(uid);
      }),
    getPodToken: (uid, name) =>
      token(tokenKey(uid, name)).map((row) => ({ uid, name, value: textIn(row, 'value') }))[0],
    putPodToken: ({ uid, name, value }) => tokens.put({ key: tokenKey(uid, name), uid, value }),
  };
}

function tokenKey(uid: string, name: string): string {
  return `${uid} ${name}`;
}
