import { OperatorError } from '@fenestra/kernel';
import { type RemoteHost, type RemoteHosts, type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import { placeName } from './host-keys/judge-host-key.ts';
import { sshRemoteHosts } from './library/library-hosts.ts';
import { foreignKeys } from './system/foreign-keys.ts';
import { ownSettingsBook } from './system/own-settings.ts';
import { placesOf, systemSsh, type SystemSshOptions } from './system/system-hosts.ts';
import { systemReasons } from './system/system-reasons.ts';

/** Machines by SSH: each by the transport it asks for, or the only one that can do what it needs. */
export function remoteHosts(options: SystemSshOptions): RemoteHosts {
  const library = sshRemoteHosts(options);
  const system = systemSsh(options);
  const reasons = systemReasons({ settings: ownSettingsBook(placesOf(options)), keys: foreignKeys() });
  /** Why machines were reached by the system, by their names. */
  const reached = new Map<string, string>();

  async function connectBySystem(target: RemoteTarget, reason: string, signal: AbortSignal): Promise<RemoteHost> {
    const host = await system.connect(target, signal);
    const remark = reached.has(target.name) ? undefined : `Reached by the system's ssh, because ${reason}`;
    reached.set(target.name, reason);
    return { ...host, remark };
  }

  async function connectByLibrary(target: RemoteTarget, signal: AbortSignal): Promise<RemoteHost> {
    try {
      return await library.connect(target, signal);
    } catch (failure) {
      const reason = await reasons.after(target, failure).catch((unknown: unknown) => {
        throw withMore(failure, messageOf(unknown));
      });
      if (reason === undefined) throw failure;
      return connectBySystem(target, reason, signal).catch((later: unknown) => {
        throwIfAborted(`connecting to ${placeName(target)}`, signal);
        throw moreSpecific(failure, later, reason);
      });
    }
  }

  return {
    async connect(target, signal) {
      if ([target, ...target.jumps].some(({ transport }) => transport === 'system'))
        return system.connect(target, signal);
      const reason = reached.get(target.name) ?? (await reasons.before(target));
      if (reason === undefined) return connectByLibrary(target, signal);
      return connectBySystem(target, reason, signal).catch((failure: unknown) => {
        throw bySystem(failure, reason);
      });
    },
  };
}

/**
 * Of the same failure the library says more, and a system without ssh has nothing to say. A machine that did not let us in
 * will not do so by itself, whatever has happened then: the failure stays one that no one tries again.
 */
export function moreSpecific(first: unknown, later: unknown, reason: string): unknown {
  const code = codeOf(later);
  if (code === 'COMMAND_FAILED') return first;
  const way = `tried as well by the system's ssh, because ${reason}`;
  if (codeOf(first) === code) return withMore(first, way);
  return codeOf(first) === 'REMOTE_AUTH' ? withMore(first, `${way}: ${messageOf(later)}`) : bySystem(later, reason);
}

/** A failure that shows which way was gone, for no one has asked for it. */
function bySystem(failure: unknown, reason: string): unknown {
  return withMore(failure, `tried by the system's ssh, because ${reason}`);
}

function withMore(failure: unknown, more: string): unknown {
  if (!(failure instanceof OperatorError)) return failure;
  const { code, message, hint, details, cause } = failure;
  return new OperatorError(code, `${message} (${more})`, { hint, details, cause });
}

function codeOf(failure: unknown): string | undefined {
  return failure instanceof OperatorError ? failure.code : undefined;
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
