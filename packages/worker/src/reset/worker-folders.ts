import { basename, dirname, relative, sep } from 'node:path';
import type { WorkerLayout } from '@fenestra/platform';
import { filesOf, isWithin, nurseryOf, type NodeFolder } from '@fenestra/steps';
import type { WorkerRecord } from '../worker-record.ts';

/** Whose things are looked for, and what is left alone. */
export interface FolderWishes {
  readonly layout: WorkerLayout;
  readonly record: WorkerRecord | undefined;
  /** Whether there is, or was, a worker of a cluster here: then the kubelet's folder is that worker's, whatever made it. */
  readonly joined: boolean;
  /** Paths of programs that keadm placed and no one has changed. */
  readonly programs: readonly string[];
  /** The program that runs right now, which cannot remove itself everywhere. */
  readonly executable: string;
}

/** The folders of a worker, with what of them is the worker's; those inside another come before it. */
export function workerFolders(wishes: FolderWishes): readonly NodeFolder[] {
  const made = wishes.record?.folders ?? [];
  const claims = [
    ...configurationFolders(wishes),
    ...kubeletFolders(wishes),
    ...programFolders(wishes),
    ...made.map((path) => ({ path, names: [] })),
  ];
  const folders = merged(claims).map((claim) => ({
    ...claim,
    own: made.includes(claim.path) || isKeadms(claim, wishes),
  }));
  return folders.toSorted((one, other) => depth(other) - depth(one));
}

type Claim = Omit<NodeFolder, 'own'>;

/** The CA, and who the kubelet is. What else is there, a control plane's or the operator's static pods, is not the worker's. */
function configurationFolders({ layout, joined }: FolderWishes): readonly Claim[] {
  if (!joined) return [];
  return [
    { path: layout.pkiFolder, names: filesOf(basename(layout.caFile)) },
    {
      path: layout.configFolder,
      names: [
        ...[layout.kubeconfig, layout.bootstrapKubeconfig].flatMap((path) => filesOf(basename(path))),
        basename(nurseryOf(layout.bootstrapKubeconfig)),
      ],
    },
  ];
}

/** A kubelet makes files of many names in its folder, and no one else has any business there. */
function kubeletFolders({ layout, joined }: FolderWishes): readonly Claim[] {
  if (!joined) return [];
  return [
    { path: layout.kubeletFolder, names: ['*'] },
    { path: layout.certificatesFolder, names: ['*'] },
    { path: dirname(layout.logFile), names: [`${basename(layout.logFile)}*`] },
  ];
}

function programFolders({ layout, programs, executable }: FolderWishes): readonly Claim[] {
  const own = dirname(layout.hostExecutable);
  const names = [layout.hostExecutable, layout.recordFile].flatMap((path) => filesOf(basename(path)));
  const backups = isWithin(layout.backupsFolder, own) ? [basename(layout.backupsFolder)] : [];
  // On Windows this is so whatever the case of the letters.
  const isRunning = relative(layout.hostExecutable, executable) === '';
  return [
    { path: own, names: isRunning ? [...filesOf(basename(layout.recordFile)), ...backups] : [...names, ...backups] },
    ...programs.map((path) => ({ path: dirname(path), names: programNames(path) })),
  ];
}

/** A program's own name, and those that runs of ours leave beside it when they are cut off. */
function programNames(path: string): readonly string[] {
  const name = basename(path);
  return [...filesOf(name), `arrived-${name}`, `arrived-${name}.*`];
}

/** keadm's own folder for a worker is its own even where the record of it is gone. */
function isKeadms({ path }: Claim, { layout }: FolderWishes): boolean {
  return path === dirname(layout.hostExecutable);
}

function merged(claims: readonly Claim[]): readonly Claim[] {
  return [...Map.groupBy(claims, ({ path }) => path)].map(([path, same]) => ({
    path,
    names: [...new Set(same.flatMap(({ names }) => names))],
  }));
}

function depth({ path }: Pick<NodeFolder, 'path'>): number {
  return path.split(sep).length;
}
