import { OperatorError } from '@fenestra/kernel';
import type { ServiceManager, ServiceSpec } from '@fenestra/platform';
import { basename, relative } from 'node:path';

/**
 * The error for a service that runs another program than the one keadm manages, and so is neither to be changed nor
 * removed; `undefined` for one that runs it, or where there is none.
 */
export function foreignService(
  found: ServiceSpec | undefined,
  executable: string,
  services: Pick<ServiceManager, 'commandLine'>,
): OperatorError | undefined {
  if (found === undefined || isSamePath(found.executable, executable)) return undefined;
  return conflict(found, `it runs "${found.executable}", and not "${executable}"`, services);
}

/**
 * Throws `SERVICE_CONFLICT` for a service that someone else has registered. It is asked for by anyone who is about to
 * register it again: one service manager refuses that, but only once the agent is stopped, and another does it.
 */
export function refuseForeignRegistration(
  found: ServiceSpec | undefined,
  wanted: ServiceSpec,
  services: Pick<ServiceManager, 'commandLine'>,
): void {
  // Every registration of ours has had this name, and every service manager gives it back.
  if (found === undefined || found.displayName === wanted.displayName) return;
  throw conflict(found, 'it was not registered by keadm and has other settings', services);
}

function conflict(
  { name, executable }: ServiceSpec,
  reason: string,
  services: Pick<ServiceManager, 'commandLine'>,
): OperatorError {
  const hint = isAgentName(executable)
    ? 'If it is an upstream node, remove it with "keadm reset", then join again with "keadm join".'
    : `Find out what installed it, and remove it first; ${services.commandLine('status', name)} shows it.`;
  return new OperatorError('SERVICE_CONFLICT', `Cannot touch service "${name}": ${reason}`, {
    hint,
    details: { program: executable },
  });
}

/** Whether two paths are the same to the system this runs on. */
export function isSamePath(one: string, other: string): boolean {
  return relative(one, other) === '';
}

/** What an agent's program is called; older Windows nodes of upstream's run it by way of NSSM. */
const AGENT_NAMES: readonly string[] = ['edgecore', 'edgecore.exe', 'nssm.exe'];

/** Whether a program looks like an agent, ours or upstream's, wherever it is. */
export function isAgentName(program: string): boolean {
  return AGENT_NAMES.includes(basename(program));
}
