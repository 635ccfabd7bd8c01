import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, fail, pass, skip } from '@fenestra/session';
import { type HostFacts, type AccessControl, type AccessReport, type NodeLayout, pathExists } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';

/** Whether keadm's own files are safe from other users. */
export const rights: Check<{
  /** `undefined` while keadm has done nothing here. */
  readonly bookkeepingRights: PathRights | undefined;
}> = {
  name: 'rights',
  about: "other users cannot read or change keadm's own files",
  judge({ bookkeepingRights }) {
    if (bookkeepingRights === undefined) return pass('This machine has no keadm files yet');
    const { report } = bookkeepingRights;
    if (report === 'unreadable')
      return skip('Only administrators can read the permissions', 'Run "keadm doctor" as an administrator.');
    if (report.private) return pass("keadm's files are private to the system and its administrators");
    return fail(
      report.problems.join('; '),
      'Run any keadm command that changes the node: it sets the permissions of the keadm folders again. Correct those of their parent folders yourself.',
    );
  },
};

/** Whether the node's configuration, keys, data and backups are safe from other users. */
export const nodeRights: Check<{
  readonly host: Pick<HostFacts, 'os'>;
  /** Of the node's folders and of the files in them that hold secrets, those that are there. */
  readonly nodeRights: readonly PathRights[];
}> = {
  name: 'node-rights',
  about: "other users cannot read or change the node's configuration, keys, data and backups",
  judge({ nodeRights: found, host }) {
    if (found.length === 0) return pass('This machine has no node files yet');
    const problems = found.flatMap(problemsOf);
    if (problems.length > 0) return fail(problems.join('; '), remedyOn(host.os));
    if (found.some(({ report }) => report === 'unreadable'))
      return skip('Only administrators can read the permissions', 'Run "keadm doctor" as an administrator.');
    return pass("The node's files are private to the system and its administrators");
  },
};

function problemsOf({ path, report }: PathRights): readonly string[] {
  if (report === 'unreadable' || report.private) return [];
  return [`"${path}": ${report.problems.join(', ')}`];
}

function remedyOn(os: 'linux' | 'windows'): string {
  return os === 'windows'
    ? 'Set SYSTEM as owner of these, with access for SYSTEM and Administrators only.'
    : 'Set root as owner of these (chown root:root) and remove the permissions of others (chmod go=).';
}

/** Who may touch a path; `unreadable` for anyone who may not even look. */
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
  return found.filter((pathRights) => pathRights !== undefined);
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
