import type { Phase, Step } from '@fenestra/kernel';
import {
  installService,
  placeExecutable,
  stagedPath,
  startService,
  stopService,
  swapExecutable,
  writeFile,
} from '@fenestra/steps';
import { backedUp, isUpToDate, type KubeUpgradeFacts } from './upgrade-facts.ts';

/** The time the kubelet is away: pods go on running meanwhile. */
export const exchangePrograms: Phase<KubeUpgradeFacts> = {
  id: 'exchange-programs',
  title: 'Exchange the programs',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { refreshed, registered, spec } = facts;
    return [
      stopService({ name: spec.name }),
      ...swaps(facts),
      ...host(facts),
      ...refreshed.map(writeFile),
      ...(registered ? [] : [installService({ spec })]),
      startService({ name: spec.name }),
    ];
  },
};

function swaps(facts: KubeUpgradeFacts): readonly Step[] {
  return facts.programs.flatMap(({ inPlace, to, replacedSha256: backupSha256 }) => {
    if (inPlace || backupSha256 === undefined) return [];
    return [swapExecutable({ staged: stagedPath(to), to, backup: backedUp(facts, to), backupSha256 })];
  });
}

/** The service's own program follows the keadm that does the upgrade. */
function host({ host: { path: from, sha256, installedSha256 }, layout }: KubeUpgradeFacts): readonly Step[] {
  return installedSha256 === sha256 ? [] : [placeExecutable({ from, to: layout.hostExecutable, sha256 })];
}
