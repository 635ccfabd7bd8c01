import type { DatabaseSync } from 'node:sqlite';
import { formatKindAddress, type KindAddress, objectKey, parseKindAddress } from '../object-key.ts';
import type { MetaStore, ObjectRecord } from './meta-store.ts';
import { integerIn, prepareStatement, type Row, textIn } from './statement.ts';

const COLUMNS = 'namespace, name, resource_version, value';
const BY_KIND = `SELECT ${COLUMNS} FROM meta_v2 WHERE group_version_resource = ?`;
const PUT = `INSERT OR REPLACE INTO meta_v2 (key, group_version_resource, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;

type ObjectMethods = 'getObject' | 'listObjects' | 'putObject' | 'deleteObject' | 'storedKinds';

/** Table `meta_v2`: objects as the Kubernetes API addresses them. */
export function objectTable(database: DatabaseSync): Pick<MetaStore, ObjectMethods> {
  const get = prepareStatement(database, `SELECT ${COLUMNS} FROM meta_v2 WHERE key = ?`);
  const list = prepareStatement(database, `${BY_KIND} ORDER BY key`);
  const listIn = prepareStatement(database, `${BY_KIND} AND namespace = ? ORDER BY key`);
  const put = prepareStatement(database, PUT);
  const remove = prepareStatement(database, 'DELETE FROM meta_v2 WHERE key = ?');
  const kinds = prepareStatement(database, 'SELECT DISTINCT group_version_resource AS kind FROM meta_v2 ORDER BY 1');
  return {
    getObject: (kind, namespace, name) => {
      const row = get.get(objectKey(kind, namespace, name));
      return row && toRecord(kind, row);
    },
    listObjects: (kind, namespace) => {
      const address = formatKindAddress(kind);
      const rows = namespace === undefined ? list.all(address) : listIn.all(address, namespace);
      return rows.map((row) => toRecord(kind, row));
    },
    putObject: ({ kind, namespace, name, resourceVersion, value }) => {
      put.run(objectKey(kind, namespace, name), formatKindAddress(kind), namespace, name, resourceVersion, value);
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
