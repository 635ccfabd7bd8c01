import { join } from 'node:path';
import { type Phase, pointOfNoReturn, type Step } from '@fenestra/kernel';
import {
  armGuardIf,
  copyFile,
  createFolder,
  disarmGuard,
  discard,
  discardPrevious,
  drainNode,
  fetchProgram,
  installService,
  type KubeletProof,
  markNode,
  placeExecutable,
  proveKubelet,
  stagedPath,
  startService,
  stopService,
  swapExecutable,
  uncordonNode,
  writeFile,
} from '@fenestra/steps';
import { recordText } from '../worker-record.ts';
import { backedUp, BACKUP_FILE, isUpToDate, type KubeUpgradeFacts } from './upgrade-facts.ts';

const backUpVersion: Phase<KubeUpgradeFacts> = {
  id: 'back-up-version',
  title: 'Back up the present version',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { backupFolder, current, kept, programs } = facts;
    const replaced = programs.flatMap(({ inPlace, to, replacedSha256: sha256 }) =>
      inPlace || sha256 === undefined ? [] : [copyFile(to, backedUp(facts, to), { sha256, mode: PROGRAM_MODE })],
    );
    return [
      createFolder({ path: backupFolder }),
      ...replaced,
      ...kept.map(({ path, sha256 }) => copyFile(path, backedUp(facts, path), { sha256, mode: PRIVATE_MODE })),
      writeFile({ path: join(backupFolder, BACKUP_FILE), content: `${JSON.stringify(current, undefined, 2)}\n` }),
    ];
  },
};

/** The time the kubelet is away: pods go on running in the meantime. */
const exchangePrograms: Phase<KubeUpgradeFacts> = {
  id: 'exchange-programs',
  title: 'Exchange the programs',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { refreshed, registered, spec } = facts;
    return [
      stopService({ name: spec.name }),
      ...swaps(facts),
      ...hostSteps(facts),
      ...refreshed.map(writeFile),
      ...(registered ? [] : [installService({ spec })]),
      startService({ name: spec.name }),
    ];
  },
};

/** Every failure up to the record leads back to the old version; the guard sees to it if this command cannot. */
export const KUBE_UPGRADE: readonly Phase<KubeUpgradeFacts>[] = [
  {
    // The new programs are fetched, proved and beside the old ones before anything stops.
    id: 'fetch-programs',
    title: 'Fetch and verify the new version',
    plan: ({ programs, node: { downloadsFolder: downloads } }) =>
      programs
        .filter(({ inPlace }) => !inPlace)
        .map(({ source, to: place, replacedSha256 }) => {
          // Where nothing is exchanged there is nothing to wait for.
          const to = replacedSha256 === undefined ? place : stagedPath(place);
          return fetchProgram({ source, to, downloads });
        }),
  },
  backUpVersion,
  armGuardIf(
    (facts) => !isUpToDate(facts),
    ({ host: program, node, root }) => ({ program, executable: node.guardExecutable, root }),
  ),
  {
    // The pods move to other nodes while this one can still end them in good order.
    id: 'drain',
    title: 'Drain the node',
    plan(facts) {
      const { drains, drainKubeconfig: kubeconfig, nodeName: node, drainLimitSeconds: limitSeconds, ready } = facts;
      if (!drains || isUpToDate(facts)) return [];
      return [drainNode({ kubeconfig, node, limitSeconds, confirms: ready })];
    },
  },
  exchangePrograms,
  {
    // A version that only runs is not good enough: the cluster has to see it, as ready as the node was before.
    id: 'prove-version',
    title: 'Verify that the new version works',
    plan: (facts) => (isUpToDate(facts) ? [] : [proveKubelet(proofOf(facts, facts.targetVersion))]),
  },
  {
    // Where the runtime is: one version has it at the node, another does not want it there.
    id: 'mark-node',
    title: 'Mark the node',
    plan(facts) {
      const { annotations, layout, nodeName: node } = facts;
      if (isUpToDate(facts) || Object.keys(annotations).length === 0) return [];
      return [markNode({ kubeconfig: layout.kubeconfig, node, labels: {}, annotations })];
    },
  },
  {
    // Once this is written the new version is the worker's version, and there is no automatic way back.
    id: 'record-version',
    title: 'Record the version',
    plan(facts) {
      const { recorded, record, layout } = facts;
      // Patches that are not laid over anything must not be remembered as if they were.
      if (recorded || isUpToDate(facts)) return [];
      return [pointOfNoReturn(writeFile({ path: layout.recordFile, content: recordText(record) }))];
    },
  },
  {
    // A node that took pods before takes them again; one that someone had cordoned stays so.
    id: 'uncordon',
    title: 'Uncordon the node',
    plan(facts) {
      const { drains, schedulable, drainKubeconfig: kubeconfig, nodeName: node } = facts;
      return drains && schedulable && !isUpToDate(facts) ? [uncordonNode({ kubeconfig, node })] : [];
    },
  },
  {
    // What was kept for a way back that no one needs any more goes, and so does the guard.
    id: 'tidy-up',
    title: 'Tidy up',
    plan(facts) {
      if (isUpToDate(facts)) return [];
      const { layout, node, host, refreshed, recorded, replacedRecordSha256, pruned } = facts;
      return [
        ...refreshed.flatMap(({ path, sha256 }) => discardPrevious(path, sha256)),
        ...(host.installedSha256 === host.sha256 ? [] : discardPrevious(layout.hostExecutable, host.installedSha256)),
        ...(recorded ? [] : discardPrevious(layout.recordFile, replacedRecordSha256)),
        ...pruned.map(discard),
        disarmGuard({ executable: node.guardExecutable }),
      ];
    },
  },
];

const PROGRAM_MODE = 0o755;
const PRIVATE_MODE = 0o600;

function swaps(facts: KubeUpgradeFacts): readonly Step[] {
  return facts.programs.flatMap(({ inPlace, to, replacedSha256: backupSha256 }) => {
    if (inPlace || backupSha256 === undefined) return [];
    return [swapExecutable({ staged: stagedPath(to), to, backup: backedUp(facts, to), backupSha256 })];
  });
}

/** The service's own program follows the keadm that does the upgrade. */
function hostSteps({ host: { path: from, sha256, installedSha256 }, layout }: KubeUpgradeFacts): readonly Step[] {
  return installedSha256 === sha256 ? [] : [placeExecutable({ from, to: layout.hostExecutable, sha256 })];
}

/** What a kubelet has to prove: that it is of this version, and does for the node what the one before it did. */
export function proofOf(facts: KubeUpgradeFacts, version: string): KubeletProof {
  const { spec, nodeName, layout, healthz, ready, limitSeconds, settleSeconds } = facts;
  return {
    service: spec.name,
    node: nodeName,
    kubeconfig: layout.kubeconfig,
    healthz: healthz ?? null,
    logFile: layout.logFile,
    wants: ready ? 'ready' : 'registered',
    version,
    limitSeconds,
    settleSeconds,
  };
}
