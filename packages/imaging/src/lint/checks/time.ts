import { type Entry, isList, isMapping, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import { isTruthy } from '../../cloudbase/cloud-config/python.ts';
import { found, type Verdict, wrongType } from '../finding.ts';

/** `timezone` and `ntp`, which do what they say if they have the right form. */
export function checkTime(entry: Entry): Verdict {
  const { key, line, value } = entry;
  if (key === 'ntp') return checkServers(entry);
  if (typeof value !== 'string') return wrongType(entry, 'a text');
  return { findings: [], outcomes: [{ line, subject: key, fate: 'done', effect: `sets the time zone "${value}"` }] };
}

const FORM = 'a mapping with "enabled", "servers" and "pools"';

function checkServers(entry: Entry): Verdict {
  const { key, line, path, value } = entry;
  if (!isMapping(value)) return wrongType(entry, FORM);
  const lists = ['servers', 'pools'].flatMap((each) => memberOf(entry, each) ?? []);
  const broken = lists.find((list) => !isList(list.value));
  if (broken !== undefined) return wrongType({ ...broken, key: `${key}.${broken.key}` }, 'a list');
  const enabled = memberOf(entry, 'enabled');
  const isIdle = (enabled !== undefined && !isTruthy(enabled.value)) || !lists.some((list) => isTruthy(list.value));
  const effect = isIdle ? 'sets nothing' : 'sets the time servers';
  return {
    findings: isIdle ? [found('ntp-nothing', { line, path }, 'it sets no time server')] : [],
    outcomes: [{ line, subject: key, fate: isIdle ? 'dropped' : 'done', effect }],
  };
}
