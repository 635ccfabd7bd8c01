import { win32 } from 'node:path';
import { type Plan, planWorkflow } from '@fenestra/kernel';
import type { NodeLayout, ServiceSpec, WorkerLayout } from '@fenestra/platform';
import type { ProgramSource } from '@fenestra/releases';
import { programPath } from '../machine/gather-machine.ts';
import { BLANK_RECORD } from '../worker-record.ts';
import { KUBELET_RULE, nextRecord } from './gather-prepare-facts.ts';
import { preparedFolders } from './prepare-worker.ts';
import { PREPARE } from './workflow.ts';

/** A Windows machine that is not there yet. */
export interface FreshMachine {
  readonly layout: WorkerLayout;
  readonly node: NodeLayout;
  readonly sources: readonly ProgramSource[];
  readonly spec: ServiceSpec;
  readonly executable: string;
}

/** What a preparation does to a Windows machine that has nothing of a worker yet. It looks at no machine at all. */
export function planFreshPreparation({ layout, node, sources, spec, executable }: FreshMachine): Plan {
  const programs = sources.map((source) => ({
    source,
    to: programPath(layout, source.name),
    inPlace: false,
    replacedSha256: undefined,
  }));
  const ownFolders = [layout.hostExecutable, layout.logFile].map((path) => win32.dirname(path));
  const folders = [layout.programFolder, ...ownFolders, ...preparedFolders(layout)].filter((folder) =>
    win32.isAbsolute(folder),
  );
  const missingFolders = [...new Set(folders.flatMap(withParents))];
  return planWorkflow(PREPARE, {
    layout,
    node,
    programs,
    host: { path: executable, sha256: '', installedSha256: undefined },
    missingFolders,
    spec,
    service: { state: 'absent' },
    registered: false,
    firewall: KUBELET_RULE,
    record: nextRecord(BLANK_RECORD, { programs, firewall: KUBELET_RULE, folders: missingFolders }),
    recorded: false,
    replacedRecordSha256: undefined,
  });
}

/** A folder and those above it, the topmost first, but for the drive. */
function withParents(folder: string): readonly string[] {
  const parent = win32.dirname(folder);
  return parent === folder ? [] : [...withParents(parent), folder];
}
