import type { Phase, Step } from '@fenestra/kernel';
import type {
  InstallService,
  PlaceExecutable,
  StartService,
  StopService,
  SwapExecutable,
  WriteFile,
} from '@fenestra/steps';
import { backedUp, isUpToDate, stagedProgram, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** The time the kubelet is away: pods go on running meanwhile. */
export const exchangePrograms: Phase<KubeUpgradeFacts> = {
  id: 'exchange-programs',
  title: 'Exchange the programs',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { name } = facts.spec;
    const stop: StopService = { kind: 'stop-service', name };
    const start: StartService = { kind: 'start-service', name };
    return [stop, ...swaps(facts), ...host(facts), ...configuration(facts), ...register(facts), start];
  },
};

function swaps(facts: KubeUpgradeFacts): readonly Step[] {
  return facts.programs.flatMap(({ inPlace, to, replacedSha256: backupSha256 }) => {
    if (inPlace || backupSha256 === undefined) return [];
    const staged = stagedProgram(to);
    const step: SwapExecutable = { kind: 'swap-executable', staged, to, backup: backedUp(facts, to), backupSha256 };
    return [step];
  });
}

/** The service's own program follows the keadm that does the upgrade. */
function host({ host: { path: from, sha256, installedSha256 }, layout }: KubeUpgradeFacts): readonly PlaceExecutable[] {
  if (installedSha256 === sha256) return [];
  return [{ kind: 'place-executable', from, to: layout.hostExecutable, sha256 }];
}

function configuration({ refreshed }: KubeUpgradeFacts): readonly WriteFile[] {
  return refreshed.map(({ path, content }) => ({ kind: 'write-file', path, content }));
}

function register({ registered, spec }: KubeUpgradeFacts): readonly InstallService[] {
  return registered ? [] : [{ kind: 'install-service', spec }];
}
