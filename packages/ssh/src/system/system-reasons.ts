import { OperatorError } from '@fenestra/kernel';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { isNameUnknown } from '../remote-errors.ts';
import type { ForeignKeys } from './foreign-keys.ts';
import type { OwnSettingsBook } from './own-settings.ts';

/** Why the system's ssh is taken for a machine instead of the library. Each completes `…, because …`. */
export interface SystemReasons {
  /** What is known without trying. */
  before(target: RemoteTarget): Promise<string | undefined>;
  /** What may fix a failure of the library. */
  after(target: RemoteTarget, failure: unknown): Promise<string | undefined>;
}

/** Where the reasons come from. */
export interface ReasonSources {
  readonly settings: OwnSettingsBook;
  readonly keys: ForeignKeys;
}

/**
 * The way that ssh's own settings name is taken from the start: at the same address something else may answer those who
 * come without it. How to log in is first tried by the library, since most machines of most people need no more.
 */
export function systemReasons({ settings, keys }: ReasonSources): SystemReasons {
  return {
    async before(target) {
      const hops = hopsOf(target);
      if (hops.some(({ auth }) => auth.some(hasCertificate))) return 'the library does not support certificates';
      for (const hop of hops) {
        const reason = await keyReason(hop, keys);
        if (reason !== undefined) return reason;
      }
      return proxyReason(nearestOf(target), settings);
    },
    async after(target, failure) {
      if (!(failure instanceof OperatorError)) return undefined;
      if (isNameUnknown(failure)) return nameReason(nearestOf(target), settings);
      if (failure.code === 'REMOTE_UNSUPPORTED' && hopsOf(target).every(isOpen))
        return 'the library and the machine have no algorithm in common';
      if (failure.code !== 'REMOTE_AUTH' || !mayTryAgain(target)) return undefined;
      return (
        (await untriedKeys(hopsOf(target), keys)) ??
        (mayOfferGssapi(failure) ? gssapiReason(hopsOf(target), settings) : undefined)
      );
    },
  };
}

function hopsOf(target: RemoteTarget): readonly RemoteTarget[] {
  return [...target.jumps, target];
}

/** Only that one is reached from here. */
function nearestOf(target: RemoteTarget): RemoteTarget {
  return target.jumps[0] ?? target;
}

function isOpen({ transport }: RemoteTarget): boolean {
  return transport === 'auto';
}

function hasCertificate(way: RemoteAuth): boolean {
  return way.kind === 'key' && way.certificate !== undefined;
}

/** A key that was only found here counts if there is nothing else. */
async function keyReason({ auth, usualAuth = false }: RemoteTarget, keys: ForeignKeys): Promise<string | undefined> {
  if (auth.length === 0)
    return usualAuth ? 'there is neither an agent nor a key that the library could use' : undefined;
  const foreign = await Promise.all(auth.map(async (way) => way.kind === 'key' && keys.inFile(way.path)));
  const counts = usualAuth ? foreign.every(Boolean) : foreign.some(Boolean);
  return counts ? 'the library does not support FIDO keys' : undefined;
}

async function proxyReason(hop: RemoteTarget, settings: OwnSettingsBook): Promise<string | undefined> {
  const proxy = isOpen(hop) ? (await settings.about(hop, 'proxy'))?.proxy : undefined;
  return proxy === undefined ? undefined : `its own settings have a ${proxy} for "${hop.host}"`;
}

async function nameReason(hop: RemoteTarget, settings: OwnSettingsBook): Promise<string | undefined> {
  const realName = isOpen(hop) ? (await settings.about(hop, 'name'))?.realName : undefined;
  return realName === undefined ? undefined : `its own settings have "${realName}" for "${hop.host}"`;
}

/** No one's password is tried twice: accounts are locked after a few wrong ones. */
function mayTryAgain(target: RemoteTarget): boolean {
  return hopsOf(target).every((hop) => isOpen(hop) && !hop.auth.some(isPassword));
}

async function untriedKeys(hops: readonly RemoteTarget[], keys: ForeignKeys): Promise<string | undefined> {
  for (const way of hops.flatMap(({ auth }) => auth)) {
    if (way.kind === 'agent' && (await keys.inAgent(way.socket)))
      return 'the agent has keys that the library cannot use';
    if (way.kind === 'key' && (await keys.inFile(way.path))) return 'the library does not support FIDO keys';
  }
  return undefined;
}

/** A machine that was not even asked, because no key could be read, may. */
function mayOfferGssapi({ details }: OperatorError): boolean {
  const { offered } = details;
  return offered === undefined || String(offered).split(', ').includes('gssapi-with-mic');
}

async function gssapiReason(hops: readonly RemoteTarget[], settings: OwnSettingsBook): Promise<string | undefined> {
  for (const hop of hops.filter(({ usualAuth }) => usualAuth === true))
    if ((await settings.about(hop, 'gssapi'))?.gssapi === true) return 'its own settings allow GSSAPI';
  return undefined;
}

function isPassword({ kind }: RemoteAuth): boolean {
  return kind === 'password' || kind === 'keyboard-interactive';
}
