import type { DatabaseSync } from 'node:sqlite';
import { formatKindAddress, type KindAddress, objectKey, parseKindAddress } from '../kube-object.ts';
import { type Checksums, selectChecked } from './checksums.ts';
import type { MetaRecord, MetaStore, ObjectRecord } from './meta-store.ts';
import { integerIn, inTransaction, prepareStatement, type Row, textIn } from './statement.ts';

const COLUMNS = 'namespace, name, resource_version, value';
const BY_KIND = 'WHERE group_version_resource = ?';
const PUT = `INSERT OR REPLACE INTO meta_v2 (key, group_version_resource, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;

type ObjectMethods = 'getObject' | 'listObjects' | 'putObject' | 'deleteObject' | 'storedKinds';

/** Table `meta_v2`: objects as the Kubernetes API addresses them. */
export function objectTable(database: DatabaseSync, checksums: Checksums): Pick<MetaStore, ObjectMethods> {
  const get = prepareStatement(database, selectChecked('meta_v2', 'WHERE meta_v2.key = ?'));
  const list = prepareStatement(database, selectChecked('meta_v2', `${BY_KIND} ORDER BY meta_v2.key`));
  const listIn = prepareStatement(
    database,
    selectChecked('meta_v2', `${BY_KIND} AND namespace = ? ORDER BY meta_v2.key`),
  );
  const put = prepareStatement(database, PUT);
  const remove = prepareStatement(database, 'DELETE FROM meta_v2 WHERE key = ?');
  const kinds = prepareStatement(database, 'SELECT DISTINCT group_version_resource AS kind FROM meta_v2 ORDER BY 1');
  return {
    getObject: (kind, namespace, name) => {
      const [row] = checksums.sound('meta_v2', get.all(objectKey(kind, namespace, name)));
      return row && toRecord(kind, row);
    },
    listObjects: (kind, namespace) => {
      const address = formatKindAddress(kind);
      const rows = namespace === undefined ? list.all(address) : listIn.all(address, namespace);
      return checksums.sound('meta_v2', rows).map((row) => toRecord(kind, row));
    },
    putObject: ({ kind, namespace, name, resourceVersion, value }) => {
      const key = objectKey(kind, namespace, name);
      const address = formatKindAddress(kind);
      const columns = {
        key,
        group_version_resource: address,
        namespace,
        name,
        resource_version: resourceVersion,
        value,
      };
      inTransaction(database, () => {
        put.run(key, address, namespace, name, resourceVersion, value);
        checksums.mark('meta_v2', columns);
      });
    },
    deleteObject: (kind, namespace, name) => void remove.run(objectKey(kind, namespace, name)),
    storedKinds: () => kinds.all().flatMap((row) => parseKindAddress(textIn(row, 'kind')) ?? []),
  };
}

function toRecord(kind: KindAddress, row: Row): ObjectRecord {
  return {
    kind,
    namespace: textIn(row, 'namespace'),
    name: textIn(row, 'name'),
    resourceVersion: integerIn(row, 'resource_version'),
    value: textIn(row, 'value'),
  };
}

/** Table `meta`: what came under a wire resource string. */
export function metaTable(
  database: DatabaseSync,
  checksums: Checksums,
): Pick<MetaStore, 'getMeta' | 'listMetas' | 'putMeta' | 'deleteMeta'> {
  const get = prepareStatement(database, selectChecked('meta', 'WHERE meta.key = ?'));
  const list = prepareStatement(database, selectChecked('meta', 'WHERE type = ? ORDER BY meta.key'));
  const put = prepareStatement(database, 'INSERT OR REPLACE INTO meta (key, type, value) VALUES (?, ?, ?)');
  const remove = prepareStatement(database, 'DELETE FROM meta WHERE key = ?');
  return {
    getMeta: (key) => {
      const [row] = checksums.sound('meta', get.all(key));
      return row && toMetaRecord(row);
    },
    listMetas: (type) => checksums.sound('meta', list.all(type)).map(toMetaRecord),
    putMeta: (record) =>
      inTransaction(database, () => {
        put.run(record.key, record.type, record.value);
        checksums.mark('meta', { ...record });
      }),
    deleteMeta: (key) => void remove.run(key),
  };
}

function toMetaRecord(row: Row): MetaRecord {
  return { key: textIn(row, 'key'), type: textIn(row, 'type'), value: textIn(row, 'value') };
}
