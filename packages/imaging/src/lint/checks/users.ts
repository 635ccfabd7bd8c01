import { type Entry, isList, isMapping, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import { isDay, isTruthy, pythonText } from '../../cloudbase/cloud-config/python.ts';
import { together, type Finding, found, type Outcome, type Verdict, wrongType, unusedKeys } from '../finding.ts';

const LONGEST_PASSWORD = 20;

/** `users`: who is made, and who is not. */
export function checkUsers(entry: Entry): Verdict {
  if (!isList(entry.value)) return wrongType(entry, 'a list of users');
  return together(...entry.members.map(checkUser));
}

function checkUser(item: Entry): Verdict {
  const name = memberOf(item, 'name')?.value;
  if (!isMapping(item.value) || !isTruthy(name)) return nameless(item);
  const shown = pythonText(name);
  const findings = [
    ...(typeof name === 'string'
      ? []
      : [found('user-value', item, `"${shown}" is not created: its name is not a string`)]),
    ...checkPassword(item, shown),
    ...checkExpiry(item, shown),
    ...checkInactive(item, shown),
    ...checkMemberships(item),
    ...checkKeys(item, shown),
    ...unusedKeys(item, USED, 'user-key-ignored'),
  ];
  const refused = findings.some(({ rule }) => REFUSING.includes(rule));
  const effect = refused ? `user "${shown}" is not made` : `user "${shown}" is made`;
  return { findings, outcomes: [{ line: item.line, subject: 'users', fate: refused ? 'fails' : 'done', effect }] };
}

const REFUSING: readonly Finding['rule'][] = ['user-value', 'user-password-long', 'user-inactive'];

/** `default` means the user of the image to cloud-init, and nothing here. */
function nameless({ line, path }: Entry): Verdict {
  return {
    findings: [found('user-no-name', { line, path }, 'it has no "name" and is ignored')],
    outcomes: [{ line, subject: 'users', fate: 'dropped', effect: 'ignored: it has no name' }],
  };
}

function checkPassword(item: Entry, name: string): readonly Finding[] {
  const entry = memberOf(item, 'passwd');
  if (entry === undefined || !isTruthy(entry.value)) return [];
  if (typeof entry.value !== 'string') {
    return [found('user-value', entry, `"${name}" is not created: the password is not a string`)];
  }
  const letters = Array.from(entry.value).length;
  if (letters > LONGEST_PASSWORD) {
    return [found('user-password-long', entry, `"${name}" is not made: the password has ${letters} letters`)];
  }
  return [found('user-password', entry, `the password of "${name}" can be read by everybody who reads this`)];
}

function checkExpiry(item: Entry, name: string): readonly Finding[] {
  const entry = memberOf(item, 'expiredate');
  if (entry === undefined || entry.value === null) return [];
  if (typeof entry.value !== 'string') return [found('user-expire-date', entry, `"${name}" never expires`)];
  return isDate(entry.value) ? [] : [found('user-value', entry, `"${name}" is not made: it would expire on no day`)];
}

function isDate(text: string): boolean {
  const numbers = /^\s*(\d{1,4})\s*-\s*(\d{1,2})\s*-\s*(\d{1,2})\s*$/.exec(text)?.slice(1).map(Number) ?? [];
  const [year = 0, month = 0, day = 0] = numbers;
  return isDay(year, month, day);
}

function checkInactive(item: Entry, name: string): readonly Finding[] {
  const entry = memberOf(item, 'inactive');
  if (entry === undefined || !isTruthy(entry.value)) return [];
  const hasKeys = isTruthy(memberOf(item, 'ssh_authorized_keys')?.value);
  const homeless = isTruthy(memberOf(item, 'no_create_home')?.value);
  return homeless && !hasKeys
    ? []
    : [found('user-inactive', entry, `"${name}" is not made: it is inactive and has a home`)];
}

function checkMemberships(item: Entry): readonly Finding[] {
  return ['groups', 'primary_group'].flatMap((key) => {
    const entry = memberOf(item, key);
    const isOne = typeof entry?.value === 'string' && /,(?! )|, {2}/.test(entry.value);
    return entry === undefined || !isOne
      ? []
      : [found('user-groups', entry, `"${entry.value}" is not cut at each comma`)];
  });
}

function checkKeys(item: Entry, name: string): readonly Finding[] {
  const entry = memberOf(item, 'ssh_authorized_keys');
  if (entry === undefined || !isTruthy(entry.value)) return [];
  if (!isList(entry.value) || entry.value.some((key) => typeof key !== 'string')) {
    return [found('value-type', entry, `"${entry.key}" must be a list of texts`)];
  }
  const groups = [memberOf(item, 'groups')?.value, memberOf(item, 'primary_group')?.value].flat();
  const isAdministrator = groups.some((group) => typeof group === 'string' && /\badministrators\b/i.test(group));
  if (!isAdministrator) return [];
  return [found('user-administrator-keys', entry, `the keys of "${name}" are looked for elsewhere by default`)];
}

const USED = [
  'name',
  'gecos',
  'groups',
  'primary_group',
  'passwd',
  'inactive',
  'expiredate',
  'ssh_authorized_keys',
  'no_create_home',
];

/** `groups`: names, or a name with its users each. The first entry that fails ends it. */
export function checkGroups(entry: Entry, all: readonly Entry[]): Verdict {
  const { value, members } = entry;
  if (isMapping(value)) return { findings: members.flatMap(checkMapped), outcomes: [outcome(entry, members.length)] };
  if (!isList(value)) return wrongType(entry, 'a list of groups');
  const madeLater = namesMade(all);
  const troubles = members.map((item) => troubleWith(item, madeLater));
  const end = troubles.findIndex((trouble) => trouble?.ends === true) + 1;
  const reached = end === 0 ? members : members.slice(0, end);
  return {
    findings: troubles.slice(0, reached.length).flatMap((trouble) => trouble?.finding ?? []),
    outcomes: [{ ...outcome(entry, reached.filter(isMade).length), fate: end === 0 ? 'done' : 'partly' }],
  };
}

/** A group is made before its users are looked at. */
function isMade({ value, members: [group] }: Entry): boolean {
  return isMapping(value) ? group !== undefined && group.key !== '' : typeof value === 'string' && value !== '';
}

function outcome({ line }: Entry, count: number): Outcome {
  return { line, subject: 'groups', fate: 'done', effect: `${count} group(s) made` };
}

/** A mapping is gone through by its keys alone. */
function checkMapped(group: Entry): readonly Finding[] {
  return isTruthy(group.value) ? [found('group-entry', group, `"${group.key}" is made without its users`)] : [];
}

/** Who is made in the same document, and so is not there yet. */
function namesMade(all: readonly Entry[]): readonly unknown[] {
  return all.filter(({ key }) => key === 'users').flatMap(({ members }) => members.map((user) => nameOf(user)));
}

function nameOf(user: Entry): unknown {
  return memberOf(user, 'name')?.value;
}

interface Trouble {
  readonly finding: Finding;
  /** Whether no group after it is made. */
  readonly ends: boolean;
}

function troubleWith(item: Entry, madeLater: readonly unknown[]): Trouble | undefined {
  if (typeof item.value === 'string') return undefined;
  const [group, second] = item.members;
  if (!isMapping(item.value) || group === undefined)
    return ending(item, 'it is not a name, and later groups are not made');
  const { key, value } = group;
  if (!isList(value)) return ending(group, `the users of "${key}" are not a list, and later groups are not made`);
  const missing = value.find((user) => madeLater.includes(user));
  if (missing !== undefined) {
    const message = `"${pythonText(missing)}" is made after "${key}", and no group after it is made`;
    return { finding: found('group-user-missing', group, message), ends: true };
  }
  if (second === undefined) return undefined;
  return {
    finding: found('group-entry', second, `"${second.key}" is not made: it is not the first name`),
    ends: false,
  };
}

function ending(entry: Entry, message: string): Trouble {
  return { finding: found('group-entry', entry, message), ends: true };
}
