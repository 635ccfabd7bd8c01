import { compareVersions } from '@fenestra/contracts';

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
