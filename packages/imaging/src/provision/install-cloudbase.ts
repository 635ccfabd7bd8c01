import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { installPackage, setStartType, writeFile } from '@fenestra/steps';
import { CLOUDBASE_SERVICE } from './cloudbase-service.ts';
import type { ProvisionFacts } from './provision-facts.ts';

/** The account of the system may make users and change disks; an account of its own would have a password in the image. */
const PROPERTIES = ['RUN_SERVICE_AS_LOCAL_SYSTEM=1'];

/** cloudbase-init, told to set the host name before it heeds user-data, and not to start before Windows is set up. */
export const installCloudbase: Phase<ProvisionFacts> = {
  id: 'install-cloudbase-init',
  title: 'Install cloudbase-init',
  plan: (facts) => [...install(facts), ...texts(facts), ...startType(facts)],
};

function install({ cloudbaseInPlace, layout }: ProvisionFacts): readonly Step[] {
  if (cloudbaseInPlace) return [];
  const file = win32.join(layout.piecesFolder, 'cloudbase-init.msi');
  return [installPackage({ file, properties: PROPERTIES, service: CLOUDBASE_SERVICE })];
}

/** A package that is installed again writes its own configuration anew. */
function texts({ cloudbaseInPlace, cloudbaseTexts }: ProvisionFacts): readonly Step[] {
  return cloudbaseTexts.filter(({ isCurrent }) => !isCurrent || !cloudbaseInPlace).map(writeFile);
}

function startType({ cloudbaseInPlace, cloudbaseStart }: ProvisionFacts): readonly Step[] {
  if (cloudbaseInPlace && cloudbaseStart === 'manual') return [];
  return [setStartType({ service: CLOUDBASE_SERVICE, startType: 'manual' })];
}
