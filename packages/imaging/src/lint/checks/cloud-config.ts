import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import {
  CLOUD_CONFIG_KEYS,
  type CloudConfigKey,
  isCloudConfigKey,
  readCloudConfig,
} from '../../cloudbase/cloud-config/document.ts';
import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import type { PlacedText } from '../../cloudbase/placed-text.ts';
import { type ConfigPlace, type Finding, found, type Outcome, together, type Verdict } from '../finding.ts';
import { checkCommands } from './commands.ts';
import { checkFiles } from './files.ts';
import { checkHostName, checkTime } from './host-and-time.ts';
import { checkJoin } from './join.ts';
import { lastLineOf, unclosedIn } from './unclosed.ts';
import { checkGroups, checkUsers } from './users.ts';

/** A cloud-config: what it says as a whole, and each of its keys in the order in which they are done. */
export function checkCloudConfig(source: PlacedText, place: ConfigPlace): Verdict {
  const document = readCloudConfig(source);
  switch (document.kind) {
    case 'unreadable': {
      const again = place.inPart || document.noticed ? '' : ', and it is tried at every start';
      return {
        findings: [unreadable(source, document)],
        outcomes: [whole(place, 'fails', `cannot be loaded and is ignored${again}`)],
      };
    }
    case 'empty':
      return {
        findings: [found('cloud-config-empty', place, 'there is no key in it')],
        outcomes: [whole(place, 'dropped', 'is empty')],
      };
    case 'keys':
      return together(
        { findings: [...document.repeated.map(repeated), ...document.entries.flatMap(checkEscapes)], outcomes: [] },
        checkKeys(document.entries, place),
      );
  }
}

/** In the line that has to be corrected, and never behind the end. */
function unreadable({ text, lineAt }: PlacedText, { line, reason }: { line: number; reason: string }): Finding {
  const unclosed = unclosedIn(text);
  if (unclosed !== undefined) return found('yaml-invalid', { line: lineAt(unclosed.line) }, unclosed.message);
  return found('yaml-invalid', { line: Math.min(line, lineAt(lastLineOf(text))) }, reason);
}

function whole({ line }: ConfigPlace, fate: Outcome['fate'], effect: string): Outcome {
  return { line, subject: 'cloud-config', fate, effect };
}

/** A control character after a drive was a backslash once. Contents of files may hold what they like. */
function checkEscapes(entry: Entry): readonly Finding[] {
  const { key, value, members, line, path } = entry;
  if (key === 'content') return [];
  if (typeof value !== 'string') return members.flatMap(checkEscapes);
  if (!/\b[A-Za-z]:\p{Cc}/u.test(value)) return [];
  return [found('path-escape', { line, path }, 'a path in it has lost its backslash to double quotes')];
}

function repeated({ key, line, path }: Entry): Finding {
  return found('key-repeated', { line, path }, `"${key}" is repeated below, and only the last one counts`);
}

function checkKeys(entries: readonly Entry[], place: ConfigPlace): Verdict {
  const known = CLOUD_CONFIG_KEYS.flatMap((key) => entries.filter((entry) => entry.key === key));
  const others = entries.filter(({ key }) => !isCloudConfigKey(key));
  const verdicts = [...known.map((entry) => checkKey(entry, entries, place)), ...others.map(dropKey)];
  return together(...verdicts, checkJoin(entries));
}

function checkKey(entry: Entry, all: readonly Entry[], place: ConfigPlace): Verdict {
  const check = isCloudConfigKey(entry.key) ? CHECKS[entry.key] : dropKey;
  return check(entry, all, place);
}

type KeyCheck = (entry: Entry, all: readonly Entry[], place: ConfigPlace) => Verdict;

const CHECKS: Readonly<Record<CloudConfigKey, KeyCheck>> = {
  write_files: checkFiles,
  set_timezone: checkTime,
  timezone: checkTime,
  set_hostname: checkHostName,
  hostname: checkHostName,
  ntp: checkTime,
  groups: checkGroups,
  users: checkUsers,
  runcmd: checkCommands,
};

function dropKey({ key, line, path }: Entry): Verdict {
  const nearest = nearestKey(key, CLOUD_CONFIG_KEYS);
  const meant = nearest !== undefined && looksLike(key, nearest) ? `; did you mean "${nearest}"?` : '';
  return {
    findings: [found('key-dropped', { line, path }, `"${key}" is ignored${meant}`)],
    outcomes: [{ line, subject: key, fate: 'dropped', effect: 'ignored: cloudbase-init has no such key' }],
  };
}
