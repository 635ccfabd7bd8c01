import { OperatorError } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import { placeName } from '../host-keys/judge-host-key.ts';
import { hostName } from '../host-keys/known-hosts.ts';
import { lost, noCommonLanguage, refused, tooSlow, unreachable } from '../remote-errors.ts';

/** What ssh says before it connects anywhere. */
const UNUSABLE_SETTINGS =
  /^Bad owner or permissions on |: Bad configuration option: |^Can't open user config file |: terminating, \d+ bad configuration options/;

/** What ssh said on its way to a failed login, as one of our errors. */
export function classifyFailure(target: RemoteTarget, said: string): OperatorError {
  const plain = said.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('debug1:'));
  const text = plain.join('\n');
  const reason = plain.at(-1) ?? 'ssh printed no message';
  if (plain.some((line) => UNUSABLE_SETTINGS.test(line))) return badSettings(target, plain.join('; '));
  // A machine that ssh goes through on its own account shows its key before.
  const shown = [...said.matchAll(/debug1: Server host key: (\S+ \S+)/g)].at(-1);
  const key = shown?.[1] ?? 'which ssh did not show';
  if (/IDENTIFICATION HAS CHANGED|REVOKED HOST KEY|host key .* revoked/i.test(text)) return changed(target, text, key);
  if (/Host key verification failed|No .* host key is known|No matching host key/i.test(text))
    return unknownElsewhere(target, text, key) ?? untrusted(target, key);
  if (/Permission denied|Too many authentication failures|authentication methods? available/i.test(text))
    return notLetIn(target, said, text);
  if (/Unable to negotiate|no matching .* found/i.test(text)) return noCommonLanguage(target, reason);
  if (/timed out/i.test(text)) return tooSlow(target, 'reach', target.limits.connectSeconds);
  const farther = plain.find((line) => /refused|No route to host|unreachable|Could not resolve/i.test(line));
  return farther === undefined ? lost(target, reason) : unreachable(target, farther);
}

function badSettings(target: RemoteTarget, reason: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot use ssh's own settings for ${placeName(target)}: ${reason}`, {
    hint: 'Fix the settings of ssh, or set "transport: library" for this machine.',
  });
}

function untrusted(target: RemoteTarget, key: string): OperatorError {
  return target.hostKeys.length > 0 ? otherThanPinned(target, key) : unknown(target, key);
}

function changed(target: RemoteTarget, text: string, key: string): OperatorError {
  const place = /Offending .* key in (.+)/.exec(text)?.[1];
  const where = place === undefined ? '' : ` than the one in ${place}`;
  return new OperatorError(
    'HOST_KEY_CHANGED',
    `Cannot trust ${placeName(target)}: it shows another host key, ${key}${where}`,
    {
      hint: 'Find out whether the machine was reinstalled or someone intercepts the connection, before you change that line.',
    },
  );
}

function otherThanPinned(target: RemoteTarget, key: string): OperatorError {
  const pins = target.hostKeys.join(' or ');
  return new OperatorError(
    'HOST_KEY_CHANGED',
    `Cannot trust ${placeName(target)}: it shows the host key ${key} instead of the pinned ${pins}`,
    {
      hint: 'Find out whether the machine was reinstalled or someone intercepts the connection, before you change the pin.',
    },
  );
}

function unknown(target: RemoteTarget, key: string): OperatorError {
  return new OperatorError('HOST_KEY_UNKNOWN', `Cannot trust ${placeName(target)}: its host key ${key} is not known`, {
    hint: 'Compare it with the machine\'s own, then pin it with "hostKey", or give "--accept-new" once.',
  });
}

/** A machine that only ssh's own settings name: it has to be known already. */
function unknownElsewhere(target: RemoteTarget, text: string, key: string): OperatorError | undefined {
  const name = /host key is known for (\S+) and/.exec(text)?.[1];
  const named = [target, ...target.jumps].map(({ host, port }) => hostName(host, port));
  if (name === undefined || named.includes(name)) return undefined;
  return new OperatorError(
    'HOST_KEY_UNKNOWN',
    `Cannot trust the way to ${placeName(target)}: the host key ${key} of "${name}", to which ssh's own settings lead, is not known`,
    { hint: `Compare it with the machine's own, then log in to "${name}" by ssh once.` },
  );
}

function notLetIn(target: RemoteTarget, said: string, text: string): OperatorError {
  const offered = /Permission denied \(([^)]*)\)/.exec(text)?.[1] ?? lastOffer(said);
  const own = 'what ssh itself is set up for';
  const tried = target.usualAuth === true ? own : target.auth.map(({ kind }) => kind).join(', ') || own;
  return refused(target, `tried ${tried}; the machine offers ${offered}`, {
    hint: 'Check the account and the ways to log in that are given for this machine.',
  });
}

function lastOffer(said: string): string {
  return [...said.matchAll(/Authentications that can continue: (\S+)/g)].at(-1)?.[1] ?? 'nothing else';
}
