import { existsSync } from 'node:fs';
import {
  decommission,
  forgetInCloud,
  join,
  joinArgs,
  type Life,
  upgrade,
  upgradeArgs,
  writeConfigFile,
} from '../../support/lifecycle/administrator.ts';
import { AT_ONCE, mustDo, succeeded } from '../../support/lifecycle/answer.ts';
import { pathOn } from '../../support/machines/keadm-machine.ts';
import { versionOf } from '../../support/releases/test-releases.ts';

/** A command that is killed again and again, with all that is needed for a next time. */
export interface KilledCommand {
  readonly name: string;
  /** Whether there is a node before and after, which then has to go on working or be brought back by a guard. */
  readonly staysInService: boolean;
  /** Brings the machine, whatever state it is in, to where the command starts. */
  arrange(life: Life): Promise<void>;
  /** The words of the command; asked once, when the machine has been arranged for the first time. */
  args(life: Life): Promise<readonly string[]>;
}

const LABELS = 'modules.edged.nodeLabels';
const DATABASE = 'database.dataSource';

/** Every command that changes a node, in an order that lets each begin about where the one before ended. */
export const KILLED_COMMANDS: readonly KilledCommand[] = [
  { name: 'join', staysInService: false, arrange: decommission, args: async ({ node }) => joinArgs(node) },
  { name: 'upgrade', staysInService: true, arrange: onOldVersion, args: async ({ node }) => upgradeArgs(node, 'good') },
  { name: 'rollback', staysInService: true, arrange: onNewVersion, args: async () => ['rollback', ...AT_ONCE] },
  {
    name: 'config apply (reload)',
    staysInService: true,
    arrange: async (life) => withSettings(life, { [LABELS]: { site: 'south' } }),
    args: async ({ node }) => applyArgs(await writeConfigFile(node, 'reload.yaml', { [LABELS]: { site: 'north' } })),
  },
  {
    name: 'config apply (restart)',
    staysInService: true,
    arrange: onUsualDatabase,
    args: async (life) =>
      applyArgs(await writeConfigFile(life.node, 'restart.yaml', { [DATABASE]: databaseOf(life, 'other.db') })),
  },
  {
    name: 'restore',
    staysInService: true,
    arrange: onOldBackup,
    args: async (life) => restoreArgs(backupFolder(life, 'new')),
  },
  { name: 'reset', staysInService: false, arrange: freshlyJoined, args: async () => ['reset', '--force'] },
];

/** Joined, in whatever version. */
async function joined(life: Life): Promise<void> {
  if (await isJoined(life)) return;
  await forgetInCloud(life);
  succeeded(await join(life));
}

/** Without anything that an earlier command has left: what a reset has to be undone to must be the same each time. */
async function freshlyJoined(life: Life): Promise<void> {
  await decommission(life);
  await joined(life);
}

async function onOldVersion(life: Life): Promise<void> {
  await joined(life);
  // Both ways once, so that from now on both versions have their backups and every cycle looks like the last.
  await toVersion(life, 'new');
  await toVersion(life, 'old');
}

async function onNewVersion(life: Life): Promise<void> {
  await joined(life);
  await toVersion(life, 'new');
}

async function toVersion({ node }: Life, wanted: 'old' | 'new'): Promise<void> {
  const isNew = (await node.status())?.version === versionOf('good');
  if (isNew === (wanted === 'new')) return;
  if (wanted === 'new') succeeded(await upgrade(node, 'good'));
  else await mustDo(node.machine, ['rollback', ...AT_ONCE]);
}

async function withSettings(life: Life, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await joined(life);
  const file = await writeConfigFile(life.node, 'arranged.yaml', settings);
  await mustDo(life.node.machine, applyArgs(file));
}

/** Both databases are there once the other one has been used. */
async function onUsualDatabase(life: Life): Promise<void> {
  for (const name of ['other.db', 'edgecore.db']) await withSettings(life, { [DATABASE]: databaseOf(life, name) });
}

/** Two backups are made once: one of each version. Afterwards the old one is put back. */
async function onOldBackup(life: Life): Promise<void> {
  await joined(life);
  const { machine } = life.node;
  const old = backupFolder(life, 'old');
  if (!existsSync(machine.node.hostPath(old))) {
    for (const version of ['new', 'old'] as const) {
      await toVersion(life, version);
      await mustDo(machine, ['backup', '--dir', backupFolder(life, version)]);
    }
  }
  await mustDo(machine, restoreArgs(old));
}

async function isJoined({ node }: Life): Promise<boolean> {
  return node.readFile().then(
    () => true,
    () => false,
  );
}

function applyArgs(file: string): readonly string[] {
  return ['config', 'apply', file, ...AT_ONCE];
}

function restoreArgs(folder: string): readonly string[] {
  return ['restore', '--dir', folder, ...AT_ONCE];
}

function backupFolder({ node: { machine } }: Life, version: 'old' | 'new'): string {
  return pathOn(machine, machine.paths.ownFolder, `backup-${version}`);
}

function databaseOf({ node: { machine } }: Life, name: string): string {
  return pathOn(machine, machine.paths.stateFolder, name);
}
