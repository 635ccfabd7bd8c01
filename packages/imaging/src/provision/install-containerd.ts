import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { installService, startService, stopService, unpackArchive, writeFile } from '@fenestra/steps';
import { CONTAINERD_SERVICE } from './containerd-service.ts';
import type { ProvisionFacts } from './provision-facts.ts';

/** What a containerd release for Windows has its programs in. */
const PROGRAMS = 'bin';

/** containerd, its configuration and its service. It starts with the next start of the machine, when Windows is ready for it. */
export const installContainerd: Phase<ProvisionFacts> = {
  id: 'install-containerd',
  title: 'Install containerd',
  plan(facts) {
    const work = [...programs(facts), ...configuration(facts), ...service(facts)];
    if (work.length === 0 || facts.containerdService.state !== 'running') return work;
    return [stopService({ name: CONTAINERD_SERVICE }), ...work, startService({ name: CONTAINERD_SERVICE })];
  },
};

function programs({ containerdInPlace, layout }: ProvisionFacts): readonly Step[] {
  if (containerdInPlace) return [];
  const archive = win32.join(layout.piecesFolder, 'containerd.tar.gz');
  return [unpackArchive({ archive, part: PROGRAMS, to: layout.containerdFolder })];
}

function configuration({ containerdConfig: { path, content, isCurrent } }: ProvisionFacts): readonly Step[] {
  return isCurrent ? [] : [writeFile({ path, content })];
}

function service({ containerdService: { spec, isRegistered } }: ProvisionFacts): readonly Step[] {
  return isRegistered ? [] : [installService({ spec })];
}
