import { startBareLinuxNode } from '../../support/beds/bare-bed.ts';
import type { BedNode, NodeOptions } from '../../support/beds/bed-node.ts';
import { RUNTIME } from '../../support/beds/checkout.ts';
import type { CommandResult } from '../../support/beds/command.ts';
import { startLinuxNode } from '../../support/beds/linux-bed.ts';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { startWindowsNode } from '../../support/beds/wine-bed.ts';

/** One adapter on one system. `runner` is the bundled contract runner, `folder` the folder it lies in. */
export interface ContractRun {
  readonly title: string;
  run(folder: string, runner: string, signal: AbortSignal): Promise<CommandResult>;
}

const RUN_MS = 10 * 60_000;

/** The three adapters, each on the system it is for; and the one suite that differs for who is not an administrator. */
export const CONTRACT_RUNS: readonly ContractRun[] = [
  { title: 'Windows (Wine), elevated', run: async (...at) => onWindows({ elevated: true, suites: [] }, ...at) },
  {
    title: 'Windows (Wine), not elevated',
    run: async (...at) => onWindows({ elevated: false, suites: ['host'] }, ...at),
  },
  { title: 'Linux with systemd', run: async (...at) => onLinux(startLinuxNode, 'systemd', ...at) },
  {
    title: 'Linux without systemd, supervisor',
    run: async (...at) => onLinux(startBareLinuxNode, 'supervisor', ...at),
  },
];

async function onWindows(
  { elevated, suites }: { readonly elevated: boolean; readonly suites: readonly string[] },
  folder: string,
  runner: string,
  signal: AbortSignal,
): Promise<CommandResult> {
  const node = await startWindowsNode({ shared: [folder] }, signal);
  const koffi = toWindowsPath(RUNTIME.koffiWindows);
  const args = [toWindowsPath(runner), 'contract', 'scm', 'C:\\contract', koffi, ...suites];
  try {
    return await node.run(toWindowsPath(RUNTIME.nodeWindows), args, { elevated, timeoutMs: RUN_MS });
  } finally {
    await node.stop();
  }
}

async function onLinux(
  start: (options: NodeOptions, signal: AbortSignal) => Promise<BedNode>,
  adapter: string,
  ...[folder, runner, signal]: Parameters<ContractRun['run']>
): Promise<CommandResult> {
  const node = await start({ shared: [folder] }, signal);
  const args = [runner, 'contract', adapter, '/srv/contract', '-'];
  try {
    return await node.run(RUNTIME.nodeLinux, args, { timeoutMs: RUN_MS });
  } finally {
    await node.stop();
  }
}
