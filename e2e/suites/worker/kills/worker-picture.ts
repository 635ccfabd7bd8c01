import type { Tree } from '../../../support/crash/tree.ts';
import { isUnfinished, newestJournal } from '../../../support/kill-points/journal-watch.ts';
import { comesTrue } from '../../../support/kill-points/node-picture.ts';
import { registrationOf } from '../../../support/machines/registration.ts';
import { KUBELET_SERVICE, kubeletProcess, pictureOfWorker, standingOf } from '../../../support/worker/machine-state.ts';
import type { WorkerSite } from '../../../support/worker/site/worker-site.ts';

/** All that a command about a worker may change. */
export interface WorkerPicture {
  readonly registration: string | undefined;
  readonly isRunning: boolean;
  /** The version and readiness of its node, by the kubelet that runs now; undefined if there is no node. */
  readonly standing: { readonly ready: string; readonly version: string } | undefined;
  readonly guardIsGone: boolean;
  readonly isUnfinished: boolean;
  readonly files: Tree;
}

const GUARD_SERVICE = 'fenestra-guard';
/** The time a certificate was made at, in its name and in the link that leads to it. */
const MADE_AT = /(?<=kubelet-client-)\d{4}(-\d\d){5}/g;
/** Files that are there or not, but never twice the same. */
const ANY_CONTENT = /(kubelet-client-[^/]+\.pem|worker\.json|backup\.json)$/;
/** The time that the folder of a version's backup has in its name where there was one of the same version before. */
const BACKUP_TIME = /(?<=backups\/[^/]+)-\d{8}T\d{9}Z/;
const WRITTEN_ANY_TIME = /fenestra\/(downloads|guard)(\/|$)|\/log\//;

/** Takes a picture of a worker once it has come to rest, or as it is when it does not. */
export async function lookAtWorker(site: WorkerSite): Promise<WorkerPicture> {
  const { machine } = site;
  const guardIsGone = await comesTrue(async () => (await registrationOf(machine, GUARD_SERVICE)) === undefined);
  const isRunning = (await kubeletProcess(site)) !== 0;
  return {
    registration: await registrationOf(machine, KUBELET_SERVICE),
    isRunning,
    standing: await settledStanding(site, isRunning),
    guardIsGone,
    isUnfinished: isUnfinished(await newestJournal(machine)),
    files: steady(await pictureOfWorker(site)),
  };
}

/** A kubelet that has just been started takes a moment to say which version it is. */
async function settledStanding(site: WorkerSite, isRunning: boolean): Promise<WorkerPicture['standing']> {
  if (isRunning) await comesTrue(async () => (await standingOf(site))?.ready === 'True');
  const before = await standingOf(site);
  if (!isRunning) return before;
  await comesTrue(async () => (await standingOf(site))?.version !== before?.version, 2_000);
  return standingOf(site);
}

function steady(tree: Tree): Tree {
  const kept = Object.entries(tree).filter(([path]) => !WRITTEN_ANY_TIME.test(path));
  return Object.fromEntries(
    kept.map(([path, text]) => [
      path.replaceAll(MADE_AT, 'TIME').replace(BACKUP_TIME, ''),
      ANY_CONTENT.test(path) && text.startsWith('file ') ? text.split(' ').slice(0, 2).join(' ') : timeless(text),
    ]),
  );
}

function timeless(text: string): string {
  return text.replaceAll(MADE_AT, 'TIME');
}
