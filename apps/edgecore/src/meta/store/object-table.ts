import type { DatabaseSync } from 'node:sqlite';
import { formatKindAddress, type KindAddress, objectKey, parseKindAddress } from '../kube-object.ts';
import { checkedTable, type Checksums } from './checksums.ts';
import type { MetaRecord, MetaStore, ObjectRecord } from './meta-store.ts';
import { integerIn, prepareStatement, type Row, textIn } from './statement.ts';

const BY_KIND = 'WHERE group_version_resource = ?';

type ObjectMethods = 'getObject' | 'listObjects' | 'putObject' | 'deleteObject' | 'storedKinds';

/** Table `meta_v2`: objects as the Kubernetes API addresses them. */
export function objectTable(database: DatabaseSync, checksums: Checksums): Pick<MetaStore, ObjectMethods> {
  const rows = checkedTable(database, checksums, 'meta_v2');
  const get = rows.reader('WHERE meta_v2.key = ?');
  const list = rows.reader(`${BY_KIND} ORDER BY meta_v2.key`);
  const listIn = rows.reader(`${BY_KIND} AND namespace = ? ORDER BY meta_v2.key`);
  const kinds = prepareStatement(database, 'SELECT DISTINCT group_version_resource AS kind FROM meta_v2 ORDER BY 1');
  return {
    getObject: (kind, namespace, name) => get(objectKey(kind, namespace, name)).map((row) => toRecord(kind, row))[0],
    listObjects: (kind, namespace) => {
      const address = formatKindAddress(kind);
      const found = namespace === undefined ? list(address) : listIn(address, namespace);
      return found.map((row) => toRecord(kind, row));
    },
    putObject: ({ kind, namespace, name, resourceVersion, value }) =>
      rows.put({
        key: objectKey(kind, namespace, name),
        group_version_resource: formatKindAddress(kind),
        namespace,
        name,
        resource_version: resourceVersion,
        value,
      }),
    deleteObject: (kind, namespace, name) => rows.remove(objectKey(kind, namespace, name)),
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
  const rows = checkedTable(database, checksums, 'meta');
  const get = rows.reader('WHERE meta.key = ?');
  const list = rows.reader('WHERE type = ? ORDER BY meta.key');
  return {
    getMeta: (key) => get(key).map(toMetaRecord)[0],
    listMetas: (type) => list(type).map(toMetaRecord),
    putMeta: (record) => rows.put({ ...record }),
    deleteMeta: rows.remove,
  };
}

function toMetaRecord(row: Row): MetaRecord {
  return { key: textIn(row, 'key'), type: textIn(row, 'type'), value: textIn(row, 'value') };
}
