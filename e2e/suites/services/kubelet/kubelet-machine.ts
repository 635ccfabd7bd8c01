import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LinuxWorkerFacts, ServiceSpec, WindowsWorkerFacts, WorkerLayout } from '@fenestra/platform';
import { kubeletService } from '@fenestra/worker/kubelet';
import { linuxWorkerLayout, windowsWorkerLayout } from '../../../../apps/fenestra/src/platforms/layouts.ts';
import { makeExecutable } from '../../../../build/make-executable.ts';
import { TARGETS } from '../../../../build/targets.ts';
import { CHECKOUT, RUNTIME } from '../../../support/beds/checkout.ts';
import type { ManagedService } from '../../../support/contract-runner/manage-service.ts';
import type { KeadmMachine } from '../../../support/machines/keadm-machine.ts';
import { NOTES_FILE } from './stand-in.ts';

const STAND_IN = join(CHECKOUT, 'e2e', 'suites', 'services', 'kubelet', 'stand-in-main.ts');
const MANAGE_MS = 2 * 60_000;
const LINUX: LinuxWorkerFacts = {
  os: 'linux',
  swap: [],
  missingPrograms: [],
  forwarding: true,
  cgroups: 'v2',
  cgroupControllers: ['cpu', 'memory'],
  allowsLowerOomScores: true,
};
const WINDOWS: WindowsWorkerFacts = {
  os: 'windows',
  systemDrive: 'C:',
  build: 19_043,
  containersFeature: undefined,
  networkService: 'absent',
  containerdService: 'absent',
  programDrive: 'C:',
};

/** A machine with our executable as the kubelet's service, and a stand-in for the kubelet. */
export interface KubeletMachine {
  readonly layout: WorkerLayout;
  readonly manage: (action: 'install' | 'start' | 'stop' | 'remove' | 'look') => Promise<ManagedService>;
  readonly writeFlags: (text: string) => Promise<void>;
  /** What the stand-in has noted so far. */
  readonly notes: () => Promise<readonly string[]>;
  /** What is in a file of the machine; nothing if it is not there. */
  readonly textOf: (path: string) => Promise<string>;
  readonly write: (path: string, text: string) => Promise<void>;
}

/** Puts the programs in their places. `scratch` is a folder of this computer, and `runner` the contract runner in it. */
export async function kubeletMachine(machine: KeadmMachine, scratch: string, runner: string): Promise<KubeletMachine> {
  const { node, target } = machine;
  const isWindows = target === 'windows-x64';
  const layout = isWindows ? windowsWorkerLayout('C:') : linuxWorkerLayout('/');
  const keadm = join(CHECKOUT, 'dist', target, isWindows ? 'keadm.exe' : 'keadm');
  await carry(keadm, node.hostPath(layout.hostExecutable));
  await carry(await standIn(target, scratch), node.hostPath(layout.kubelet));
  await carry(runner, node.hostPath(runnerOn(machine)));
  const spec = kubeletService({ layout, facts: isWindows ? WINDOWS : LINUX, root: undefined });
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(node.hostPath(path)), { recursive: true });
    await writeFile(node.hostPath(path), text);
  };
  const textOf = async (path: string): Promise<string> => readFile(node.hostPath(path), 'utf8').catch(() => '');
  return {
    layout,
    manage: async (action) => manage(machine, action, spec),
    writeFlags: async (text) => write(layout.flagsFile, text),
    notes: async () => (await textOf(`${layout.kubelet}${NOTES_FILE}`)).split('\n').filter((line) => line !== ''),
    textOf,
    write,
  };
}

async function standIn(target: KeadmMachine['target'], scratch: string): Promise<string> {
  const found = TARGETS.find(({ name }) => name === target);
  if (found === undefined) throw new Error(`There is no target "${target}"`);
  return makeExecutable(found, join(scratch, target), { entry: STAND_IN });
}

async function manage(machine: KeadmMachine, action: string, spec: ServiceSpec): Promise<ManagedService> {
  const { node, target, nameOf, paths, startsServicesAtBoot } = machine;
  const isWindows = target === 'windows-x64';
  const [adapter, koffi] = isWindows
    ? ['scm', nameOf(RUNTIME.koffiWindows)]
    : [startsServicesAtBoot ? 'systemd' : 'supervisor', '-'];
  const args = [runnerOn(machine), 'manage', adapter, koffi, `${paths.bookkeeping}/supervisor`, action];
  const program = isWindows ? nameOf(RUNTIME.nodeWindows) : RUNTIME.nodeLinux;
  const options = { timeoutMs: MANAGE_MS, elevated: true };
  const { stdout, stderr, exitCode } = await node.run(program, [...args, JSON.stringify(spec)], options);
  if (exitCode !== 0) throw new Error(`${action} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

function runnerOn({ target }: KeadmMachine): string {
  return target === 'windows-x64' ? 'C:\\Users\\Public\\runner.cjs' : '/opt/runner.cjs';
}

async function carry(file: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(file, to);
}
