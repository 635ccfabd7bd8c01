import { type FieldProblem, looksLike } from '@fenestra/contracts/reading';
import type { BatchReading } from '../file/read-batch-file.ts';

type Problems = BatchReading['problems'];

/** How a path ends, or goes on, at a merge key of YAML. */
const MERGE_KEY = '["<<"]';

/** Says of a merge key what it is, once, whatever is wrong with it or with what is below it. */
export function tellMergeKeys(problems: Problems): Problems {
  const reported = new Set<string>();
  return problems.flatMap((problem) => {
    const place = placeOfMergeKey(problem.path);
    if (place === undefined) return [problem];
    const path = `${place}${MERGE_KEY}`;
    if (reported.has(path)) return [];
    reported.add(path);
    return [{ ...problem, path, message: MESSAGE }];
  });
}

const MESSAGE = 'merge keys are not supported: use "defaults" or "groups" for the settings that nodes share';

/** What a path's merge key is in; undefined for a path without one. */
function placeOfMergeKey(path: string): string | undefined {
  const end = path.indexOf(MERGE_KEY);
  return end === -1 ? undefined : path.slice(0, end);
}

/** Whether a problem is only there because what it needs, at the same place or for all nodes, cannot be read. */
export function isConsequence({ path, message }: FieldProblem, unreadable: readonly FieldProblem[]): boolean {
  return unreadable.some(({ path: wrong }) => {
    if (isWithin(path, wrong) || isWithin(wrong, path)) return true;
    if (message.startsWith('must be given')) return mayBeMissing(path, wrong);
    return /\b(cmdTplArgs|labels)\b/.test(wrong) && message.includes('undefined wildcard');
  });
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)));
}

/** Whether the missing field may be what could not be read: something of a merge key, or of a group or the defaults. */
function mayBeMissing(missing: string, wrong: string): boolean {
  const merged = placeOfMergeKey(wrong);
  if (merged !== undefined && isWithin(missing, merged)) return true;
  const field = fieldOfLayer(merged ?? wrong);
  const needed = INHERITED.find((inherited) => lastName(inherited) === lastName(missing));
  if (field === undefined || needed === undefined) return false;
  // A misspelled or misplaced name may be meant as this field.
  return field === '' || isWithin(needed, field) || looksLike(lastName(field), lastName(needed));
}

/** Of what every node needs, what may stand in a group or in the defaults. */
const INHERITED = ['keadmCmd', 'ssh.username'] as const;

/** The field that a path names in the defaults or in a group; empty for all of them, undefined elsewhere. */
function fieldOfLayer(path: string): string | undefined {
  const [layer] = /^(?:defaults|groups(?:\.[\w-]+|\["[^"]*"\])?)(?:\.|$)/.exec(path) ?? [];
  return layer === undefined ? undefined : path.slice(layer.length);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
