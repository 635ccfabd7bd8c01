import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { type AccessControl, type AccessReport, type NodeLayout, pathExists } from '@fenestra/platform';

/** Who may touch a path; `unreadable` for whoever may not even look. */
export interface PathRights {
  readonly path: string;
  readonly report: AccessReport | 'unreadable';
}

/** The rights of a path; `undefined` if there is none. */
export async function findRights(access: AccessControl, path: string): Promise<PathRights | undefined> {
  if (!(await pathExists(path))) return undefined;
  return { path, report: await inspect(access, path) };
}

/** The rights of the node's folders and of what in them is secret. */
export async function findNodeRights(access: AccessControl, layout: NodeLayout): Promise<readonly PathRights[]> {
  const { configFolder, stateFolder, backupsFolder, agentConfigFile, tokenFile } = layout;
  const keys = await findKeys(join(configFolder, 'certs'));
  const paths = [configFolder, stateFolder, backupsFolder, agentConfigFile, tokenFile, ...keys];
  const found = await Promise.all(paths.map(async (path) => findRights(access, path)));
  return found.filter((rights) => rights !== undefined);
}

/** A folder that is absent, or closed to us, shows no keys; that it is closed its own rights say. */
async function findKeys(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.key')).map((name) => join(folder, name));
}

async function inspect(access: AccessControl, path: string): Promise<PathRights['report']> {
  try {
    return await access.inspect(path);
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'ACCESS_DENIED') return 'unreadable';
    throw error;
  }
}
