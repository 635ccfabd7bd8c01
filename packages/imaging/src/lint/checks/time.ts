import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import type { Verdict } from '../finding.ts';
import { isMapping, wrongType } from './entries.ts';

/** `timezone` and `ntp`, which do what they say if they have the right form. */
export function checkTime(entry: Entry): Verdict {
  const { key, line, value } = entry;
  if (key === 'ntp') {
    if (!isMapping(value)) return wrongType(entry, 'a mapping with "enabled", "servers" and "pools"');
    return { findings: [], outcomes: [{ line, subject: key, fate: 'done', effect: 'sets the time servers' }] };
  }
  if (typeof value !== 'string') return wrongType(entry, 'a text');
  return { findings: [], outcomes: [{ line, subject: key, fate: 'done', effect: `sets the time zone "${value}"` }] };
}
