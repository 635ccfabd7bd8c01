import type { FarEndPorts } from '@fenestra/fleet/far-end';
import type { KeadmEnvironment } from '../../platform.ts';

/** This machine, as the far end of a batch needs it. */
export async function farEndPorts(environment: KeadmEnvironment): Promise<FarEndPorts> {
  const { terminal, now, ownCommand } = environment;
  const { host, files, access } = await environment.loadPlatform(undefined);
  return {
    host,
    os: (await host.facts()).os,
    files,
    access,
    now,
    ownCommand,
    emit: terminal.out,
    unheard: () => terminal.outClosed === true,
  };
}
