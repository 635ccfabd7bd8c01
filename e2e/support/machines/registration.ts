import { readFile } from 'node:fs/promises';
import type { KeadmMachine } from './keadm-machine.ts';

const SERVICES_KEY = 'HKLM\\SYSTEM\\CurrentControlSet\\Services';

/**
 * What the system itself has on record of a service, read without any program of ours: the registry's key, the unit
 * file, or the supervisor's. Undefined if there is nothing.
 */
export async function registrationOf(machine: KeadmMachine, service: string): Promise<string | undefined> {
  if (machine.target === 'windows-x64') return registryKey(machine, service);
  const file = machine.startsServicesAtBoot
    ? `/etc/systemd/system/${service}.service`
    : `${machine.paths.bookkeeping}/supervisor/services/${service}/spec.json`;
  return readFile(machine.node.hostPath(file), 'utf8').catch(() => undefined);
}

async function registryKey({ node }: KeadmMachine, service: string): Promise<string | undefined> {
  const { exitCode, stdout } = await node.run('reg', ['query', `${SERVICES_KEY}\\${service}`]);
  return exitCode === 0 ? stdout : undefined;
}
