import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import type { InstallService, StartService, StopService, UnpackArchive, WriteFile } from '@fenestra/steps';
import { CONTAINERD_SERVICE } from '../containerd-service.ts';
import type { ProvisionFacts } from '../provision-facts.ts';

/** What a containerd release for Windows has its programs in. */
const PROGRAMS = 'bin';

/** containerd, its configuration and its service. It starts with the next start of the machine, when Windows is ready for it. */
export const installContainerd: Phase<ProvisionFacts> = {
  id: 'install-containerd',
  title: 'Install containerd',
  plan(facts) {
    const work = [...programs(facts), ...configuration(facts), ...service(facts)];
    if (work.length === 0 || facts.containerdService.state !== 'running') return work;
    const [stop, start]: [StopService, StartService] = [
      { kind: 'stop-service', name: CONTAINERD_SERVICE },
      { kind: 'start-service', name: CONTAINERD_SERVICE },
    ];
    return [stop, ...work, start];
  },
};

function programs({ containerdInPlace, layout }: ProvisionFacts): readonly Step[] {
  if (containerdInPlace) return [];
  const archive = win32.join(layout.piecesFolder, 'containerd.tar.gz');
  return [{ kind: 'unpack-archive', archive, part: PROGRAMS, to: layout.containerdFolder } satisfies UnpackArchive];
}

function configuration({ containerdConfig: { path, content, isCurrent } }: ProvisionFacts): readonly WriteFile[] {
  return isCurrent ? [] : [{ kind: 'write-file', path, content }];
}

function service({ containerdService: { spec, isRegistered } }: ProvisionFacts): readonly InstallService[] {
  return isRegistered ? [] : [{ kind: 'install-service', spec }];
}
