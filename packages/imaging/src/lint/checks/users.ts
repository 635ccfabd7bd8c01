import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { found, together, type Finding, type Verdict } from '../finding.ts';
import { isList, isMapping, memberOf, wrongType } from './entries.ts';

const LONGEST_PASSWORD = 20;

/** `users`: who is made, and who is not. */
export function checkUsers(entry: Entry): Verdict {
  if (!isList(entry.value)) return wrongType(entry, 'a list of users');
  return together(...entry.members.map(checkUser));
}

/** `groups`: names, or a name with its users each. */
export function checkGroups(entry: Entry): Verdict {
  const { line, value } = entry;
  if (!isList(value)) return wrongType(entry, 'a list of groups');
  return {
    findings: [],
    outcomes: [{ line, subject: 'groups', fate: 'done', effect: `${value.length} group(s) made` }],
  };
}

function checkUser(item: Entry): Verdict {
  const name = memberOf(item, 'name')?.value;
  if (!isMapping(item.value) || typeof name !== 'string' || name === '') return nameless(item);
  const findings = [
    ...checkPassword(item, name),
    ...checkInactive(item, name),
    ...checkMemberships(item),
    ...checkKeys(item, name),
    ...checkIgnored(item),
  ];
  const refused = findings.some(({ rule }) => rule === 'user-password-long' || rule === 'user-inactive');
  const effect = refused ? `user "${name}" is not made` : `user "${name}" is made`;
  return { findings, outcomes: [{ line: item.line, subject: 'users', fate: refused ? 'fails' : 'done', effect }] };
}

/** `default` means the user of the image to cloud-init, and nothing here. */
function nameless({ line, path }: Entry): Verdict {
  return {
    findings: [found('user-no-name', { line, path }, 'it has no "name", and is passed over')],
    outcomes: [{ line, subject: 'users', fate: 'dropped', effect: 'passed over: it has no name' }],
  };
}

function checkPassword(item: Entry, name: string): readonly Finding[] {
  const entry = memberOf(item, 'passwd');
  if (entry === undefined || typeof entry.value !== 'string' || entry.value === '') return [];
  if (entry.value.length > LONGEST_PASSWORD) {
    return [
      found('user-password-long', entry, `"${name}" is not made: the password has ${entry.value.length} letters`),
    ];
  }
  return [found('user-password', entry, `the password of "${name}" can be read by everybody who reads this`)];
}

function checkInactive(item: Entry, name: string): readonly Finding[] {
  const entry = memberOf(item, 'inactive');
  if (entry === undefined || entry.value === null || entry.value === false || entry.value === '') return [];
  const hasKeys = memberOf(item, 'ssh_authorized_keys')?.members.length !== undefined;
  const homeless = memberOf(item, 'no_create_home')?.value === true;
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
  const groups = [memberOf(item, 'groups')?.value, memberOf(item, 'primary_group')?.value].flat();
  const isAdministrator = groups.some((group) => typeof group === 'string' && /\badministrators\b/i.test(group));
  if (entry === undefined || !isAdministrator) return [];
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

function checkIgnored(item: Entry): readonly Finding[] {
  return item.members
    .filter(({ key }) => !USED.includes(key))
    .map(({ key, line, path }) => found('user-key-ignored', { line, path }, `"${key}" does nothing`));
}
