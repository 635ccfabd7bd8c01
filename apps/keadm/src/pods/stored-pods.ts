import { DatabaseSync } from 'node:sqlite';
import { isJsonObject, objectAt, OperatorError, parseJson, systemCodeOf } from '@fenestra/kernel';
import { pathExists } from '@fenestra/platform';
import { PodStatus, readPod, type StoredPod } from '@fenestra/pods';

/** Tables of the agent: the objects of the node, and what the agent remembers of each pod. */
const PODS = `SELECT value FROM meta_v2 WHERE group_version_resource = '/v1, Resource=pods'`;
const RECORDS = 'SELECT key, value FROM fenestra_pod';
const HAS_RECORDS = `SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'fenestra_pod'`;
const BUSY_TIMEOUT_MS = 5_000;

/** Reads the pods of a node from the database of its agent, which may be running. A node without one has none. */
export async function readStoredPods(file: string, nodeName: string): Promise<readonly StoredPod[]> {
  if (!(await pathExists(file))) return [];
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const statuses = readStatuses(database);
    return textsOf(database, PODS).flatMap(({ value }) => readOne(value, nodeName, statuses));
  } catch (cause) {
    throw new OperatorError('FILE_FAILED', `Cannot read the database "${file}" (${systemCodeOf(cause)})`, {
      hint: 'Start the agent, which repairs its database.',
      cause,
    });
  } finally {
    database?.close();
  }
}

interface Texts {
  readonly key: string;
  readonly value: string;
}

function textsOf(database: DatabaseSync, query: string): readonly Texts[] {
  const rows = database.prepare(query).all();
  return rows.map(({ key, value }) => ({ key: String(key), value: String(value) }));
}

/** Agents of KubeEdge, and older ones of Fenestra, remember nothing of pods: then there are no statuses. */
function readStatuses(database: DatabaseSync): ReadonlyMap<string, PodStatus> {
  if (database.prepare(HAS_RECORDS).get() === undefined) return new Map();
  const records = textsOf(database, RECORDS).map(({ key, value }) => [key, parseJson(value)] as const);
  return new Map(
    records.flatMap(([uid, record]) => {
      const status = isJsonObject(record) ? PodStatus.safeParse(record['status']) : undefined;
      return status?.success ? [[uid, status.data] as const] : [];
    }),
  );
}

function readOne(text: string, nodeName: string, statuses: ReadonlyMap<string, PodStatus>): readonly StoredPod[] {
  const object = parseJson(text);
  if (!isJsonObject(object) || objectAt(object, 'spec')?.['nodeName'] !== nodeName) return [];
  const reading = readPod(object);
  if ('problems' in reading) return [];
  const status = statuses.get(reading.pod.metadata.uid);
  return [{ pod: reading.pod, ...(status && { status }) }];
}
