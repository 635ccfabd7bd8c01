import { OperatorError } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import { placeName } from '../host-keys/host-key-errors.ts';
import { lost, noCommonLanguage, refused, tooSlow, unreachable } from '../remote-errors.ts';

/** What ssh said on its way to a failed login, as one of our errors. */
export function classifyFailure(target: RemoteTarget, said: string): OperatorError {
  const plain = said.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('debug1:'));
  const text = plain.join('\n');
  const reason = plain.at(-1) ?? 'ssh said nothing';
  const key = /debug1: Server host key: (\S+ \S+)/.exec(said)?.[1] ?? 'which ssh did not show';
  if (/IDENTIFICATION HAS CHANGED|REVOKED HOST KEY|host key .* revoked/i.test(text)) return changed(target, text, key);
  if (/Host key verification failed|No .* host key is known|No matching host key/i.test(text))
    return target.hostKeys.length > 0 ? otherThanPinned(target, key) : unknown(target, key);
  if (/Permission denied|Too many authentication failures|authentication methods? available/i.test(text))
    return notLetIn(target, said, text);
  if (/Unable to negotiate|no matching .* found/i.test(text)) return noCommonLanguage(target, reason);
  if (/timed out/i.test(text)) return tooSlow(target, 'reach', target.limits.connectSeconds);
  if (/refused|No route to host|unreachable|Could not resolve/i.test(text)) return unreachable(target, reason);
  return lost(target, reason);
}

function changed(target: RemoteTarget, text: string, key: string): OperatorError {
  const place = /Offending .* key in (.+)/.exec(text)?.[1];
  const where = place === undefined ? '' : ` than the one in ${place}`;
  return new OperatorError(
    'HOST_KEY_CHANGED',
    `Cannot trust ${placeName(target)}: it shows another host key, ${key}${where}`,
    {
      hint: 'Find out whether the machine was installed anew or somebody stands in between, before you change that line.',
    },
  );
}

function otherThanPinned(target: RemoteTarget, key: string): OperatorError {
  const pins = target.hostKeys.join(' or ');
  return new OperatorError(
    'HOST_KEY_CHANGED',
    `Cannot trust ${placeName(target)}: it shows the host key ${key} instead of the pinned ${pins}`,
    {
      hint: 'Find out whether the machine was installed anew or somebody stands in between, before you change the pin.',
    },
  );
}

function unknown(target: RemoteTarget, key: string): OperatorError {
  return new OperatorError('HOST_KEY_UNKNOWN', `Cannot trust ${placeName(target)}: its host key ${key} is not known`, {
    hint: 'Compare it with the machine\'s own, then pin it with "hostKey", or give "--accept-new" once.',
  });
}

function notLetIn(target: RemoteTarget, said: string, text: string): OperatorError {
  const offered = /Permission denied \(([^)]*)\)/.exec(text)?.[1] ?? lastOffer(said);
  const tried = target.auth.map(({ kind }) => kind).join(', ') || 'what ssh itself is set up for';
  return refused(
    target,
    `tried ${tried}; the machine offers ${offered}`,
    'Check the account and the ways to log in that are given for this machine.',
  );
}

function lastOffer(said: string): string {
  return [...said.matchAll(/Authentications that can continue: (\S+)/g)].at(-1)?.[1] ?? 'nothing else';
}
