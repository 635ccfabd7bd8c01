import { type Entry, isList, isMapping, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import { isTruthy } from '../../cloudbase/cloud-config/python.ts';
import { type ConfigPlace, type Finding, found, type Verdict, wrongType } from '../finding.ts';

const NETBIOS_LENGTH = 15;

/** The host name that Windows gets of a wished one: its first label, at most 15 letters, no dash at the end. */
export function windowsHostName(wished: string): string {
  const label = wished.split('.', 1)[0] ?? '';
  const short = label.slice(0, NETBIOS_LENGTH);
  return short.replace(/-$/, '0');
}

/** `hostname` and `set_hostname`: a new name means a reboot, and everything again. */
export function checkHostName(entry: Entry, all: readonly Entry[], { inPart }: ConfigPlace): Verdict {
  const { key, line, path, value } = entry;
  if (typeof value !== 'string' || value === '') return wrongType(entry, 'a text');
  const name = windowsHostName(value);
  const hasCommands = all.some((other) => other.key === 'runcmd' && isTruthy(other.value));
  const effect = `names the host "${name}"; if that is new, the machine reboots${inPart ? '' : ' after all other keys'} and does all again`;
  return {
    findings: [
      hasCommands
        ? found('hostname-with-commands', { line, path }, `"${key}" makes "runcmd" run before the reboot and after it`)
        : found('hostname-reboot', { line, path }, `"${key}" makes the machine reboot, and do all of this again`),
      ...checkShortened(entry, value, name),
    ],
    outcomes: [{ line, subject: key, fate: 'partly', effect }],
  };
}

function checkShortened({ line, path }: Entry, wished: string, name: string): readonly Finding[] {
  if (wished.toLowerCase() === name.toLowerCase()) return [];
  return [found('hostname-shortened', { line, path }, `"${wished}" becomes "${name}"`)];
}

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
