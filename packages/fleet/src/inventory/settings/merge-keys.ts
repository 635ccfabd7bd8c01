import type { BatchReading } from '../file/read-batch-file.ts';

type Problems = BatchReading['problems'];

/** How a path ends, or goes on, at a merge key of YAML. */
const MERGE_KEY = '["<<"]';

/** Says of a merge key what it is, once, whatever is wrong with it or with what is below it. */
export function tellMergeKeys(problems: Problems): Problems {
  const told = new Set<string>();
  return problems.flatMap((problem) => {
    const place = placeOfMergeKey(problem.path);
    if (place === undefined) return [problem];
    const path = `${place}${MERGE_KEY}`;
    if (told.has(path)) return [];
    told.add(path);
    return [{ ...problem, path, message: MESSAGE }];
  });
}

const MESSAGE =
  'merge keys are not read: put what nodes have in common under "defaults", or under "groups" and name the group';

/** What a path's merge key is in; undefined for a path without one. */
export function placeOfMergeKey(path: string): string | undefined {
  const end = path.indexOf(MERGE_KEY);
  return end === -1 ? undefined : path.slice(0, end);
}
