import { win32 } from 'node:path';
import { compareVersions } from '@fenestra/contracts';
import type { Phase, Step } from '@fenestra/kernel';
import type { RecoveryPolicy, ServiceSpec } from '@fenestra/platform';
import { installService, startService, stopService, unpackArchive, writeFile } from '@fenestra/steps';
import { containerdProgram, type ImageLayout, type ProvisionFacts } from './provision-facts.ts';

/** What containerd's configuration depends on. */
export interface ContainerdSettings {
  readonly version: string;
  readonly root: string;
  readonly state: string;
  readonly cniPrograms: string;
  readonly cniConfig: string;
  readonly pauseImage: string;
}

const PIPE = '\\\\.\\pipe\\containerd-containerd';
const RUNTIME = 'runhcs-wcow-process';

/** containerd's configuration file, in the form that its version reads. */
export function containerdConfig(settings: ContainerdSettings): string {
  const isNew = compareVersions(settings.version, '2.0.0-0') >= 0;
  const lines = [
    `version = ${isNew ? 3 : 2}`,
    `root = ${text(settings.root)}`,
    `state = ${text(settings.state)}`,
    '',
    '[grpc]',
    `address = ${text(PIPE)}`,
    '',
    ...(isNew ? newForm(settings) : oldForm(settings)),
  ];
  return `${lines.join('\n')}\n`;
}

function newForm({ version, pauseImage, cniPrograms, cniConfig }: ContainerdSettings): readonly string[] {
  const runtime = "plugins.'io.containerd.cri.v1.runtime'";
  const takesSeveral = compareVersions(version, '2.1.0-0') >= 0;
  return [
    "[plugins.'io.containerd.cri.v1.images'.pinned_images]",
    `sandbox = ${text(pauseImage)}`,
    '',
    `[${runtime}.cni]`,
    takesSeveral ? `bin_dirs = [${text(cniPrograms)}]` : `bin_dir = ${text(cniPrograms)}`,
    `conf_dir = ${text(cniConfig)}`,
    '',
    ...runtimes(`${runtime}.containerd`),
  ];
}

function oldForm({ pauseImage, cniPrograms, cniConfig }: ContainerdSettings): readonly string[] {
  const plugin = "plugins.'io.containerd.grpc.v1.cri'";
  return [
    `[${plugin}]`,
    `sandbox_image = ${text(pauseImage)}`,
    '',
    `[${plugin}.cni]`,
    `bin_dir = ${text(cniPrograms)}`,
    `conf_dir = ${text(cniConfig)}`,
    '',
    ...runtimes(`${plugin}.containerd`),
  ];
}

function runtimes(table: string): readonly string[] {
  return [
    `[${table}]`,
    `default_runtime_name = ${text(RUNTIME)}`,
    '',
    `[${table}.runtimes.${RUNTIME}]`,
    `runtime_type = ${text('io.containerd.runhcs.v1')}`,
  ];
}

/** A text as TOML takes it as it is: without escapes, since Windows paths are full of backslashes. */
function text(value: string): string {
  return `'${value}'`;
}

/** containerd's name as a service, by which the kubelet's depends on it. */
export const CONTAINERD_SERVICE = 'containerd';

const RECOVERY: RecoveryPolicy = { restartDelaysSeconds: [5, 10, 30], resetAfterSeconds: 60 * 60 };

/** containerd as a service of Windows, which it can be by itself. */
export function containerdService(layout: ImageLayout): ServiceSpec {
  return {
    name: CONTAINERD_SERVICE,
    displayName: 'containerd',
    description: 'Runs the containers of this machine',
    executable: containerdProgram(layout),
    args: ['--run-service', '--config', layout.containerdConfig],
    startType: 'automatic',
    dependencies: [],
    recovery: RECOVERY,
    rights: 'all',
    writableFolders: [],
  };
}

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
  const archive = win32.join(layout.stagingFolder, 'containerd.tar.gz');
  return [unpackArchive({ archive, part: PROGRAMS, to: layout.containerdFolder })];
}

function configuration({ containerdConfig: { path, content, isCurrent } }: ProvisionFacts): readonly Step[] {
  return isCurrent ? [] : [writeFile({ path, content })];
}

function service({ containerdService: { spec, isRegistered } }: ProvisionFacts): readonly Step[] {
  return isRegistered ? [] : [installService({ spec })];
}
