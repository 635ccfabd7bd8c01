import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { isTruthy, pythonText } from '../../cloudbase/cloud-config/python-value.ts';
import { found, type Finding, type Outcome, type Verdict } from '../finding.ts';
import { isList, isMapping, memberOf, wrongType } from './entries.ts';

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
