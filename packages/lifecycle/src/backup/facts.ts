import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupSubject, type BackupSource, isPodFileName, memberPath } from '@fenestra/steps';
import type { EdgecoreConfig } from '@fenestra/contracts';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { type NodeLayout, pathExists } from '@fenestra/platform';
import type { NodeSession } from '@fenestra/session';
import { gatherNodeFacts, type JoinedNodeFacts, requireConfig, requireJoined } from '../node/node-facts.ts';
import { nodeFiles, type SingleRole, staticPodsFolder } from '../node/node-files.ts';
import { archiveName } from './archives.ts';

/** What an operator wants of a backup. */
export interface BackupWishes {
  /** The folder the archive goes to. */
  readonly folder: string;
  readonly encrypted: boolean;
}

/** What the plan of a backup is made from. */
export interface BackupFacts {
  readonly wishes: BackupWishes;
  readonly folderMissing: boolean;
  readonly subject: BackupSubject;
  readonly sources: readonly BackupSource[];
  /** What a node usually has and this one has not, or not yet. */
  readonly missing: readonly SingleRole[];
  readonly layout: NodeLayout;
}

/** Looks at the machine and changes nothing. */
export async function gatherBackupFacts(session: NodeSession, wishes: BackupWishes): Promise<BackupFacts> {
  const { layout } = session;
  const node = requireJoined(await gatherNodeFacts(session));
  const config = requireConfig(node);
  const { sources, missing } = await findSources(layout, config);
  return {
    wishes,
    folderMissing: !(await pathExists(wishes.folder)),
    subject: subjectOf(node, config, session),
    sources: [...sources, ...(await findStaticPods(staticPodsFolder(config)))],
    missing,
    layout,
  };
}

function subjectOf(node: JoinedNodeFacts, { modules }: EdgecoreConfig, { layout, now }: NodeSession): BackupSubject {
  const { spec, host, installedVersion } = node;
  return {
    schema: 1,
    nodeName: modules.edged.hostnameOverride,
    version: installedVersion ?? 'unknown',
    agent: node.agentKind,
    os: host.os,
    arch: host.arch,
    created: now().toISOString(),
    folders: { config: layout.configFolder, state: layout.stateFolder },
    service:
      spec === undefined
        ? null
        : {
            startType: spec.startType,
            dependencies: [...spec.dependencies],
            recovery: { ...spec.recovery, restartDelaysSeconds: [...spec.recovery.restartDelaysSeconds] },
          },
  };
}

async function findSources(
  layout: NodeLayout,
  config: EdgecoreConfig,
): Promise<{ readonly sources: readonly BackupSource[]; readonly missing: readonly SingleRole[] }> {
  const sources: BackupSource[] = [];
  const missing: SingleRole[] = [];
  for (const [role, from] of nodeFiles(layout, config)) {
    if (await pathExists(from)) sources.push({ role, path: memberPath(role, ''), from });
    else missing.push(role);
  }
  return { sources, missing };
}

async function findStaticPods(folder: string): Promise<readonly BackupSource[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return [];
    throw fileError(cause, `list the folder "${folder}"`);
  });
  const names = entries.filter((entry) => entry.isFile() && isPodFileName(entry.name)).map(({ name }) => name);
  return names
    .toSorted()
    .map((name) => ({ role: 'static-pod', path: memberPath('static-pod', name), from: join(folder, name) }));
}

/** Where the archive goes. */
export function archivePath({ wishes, subject }: Pick<BackupFacts, 'wishes' | 'subject'>): string {
  return join(wishes.folder, archiveName(subject, wishes.encrypted));
}
