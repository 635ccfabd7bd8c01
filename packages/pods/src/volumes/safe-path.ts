/** Why a path inside of a volume is refused; undefined if it stays inside. */
export function innerPathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (/^[/\\]|^[A-Za-z]:/.test(path)) return 'must be relative';
  if (hasBackStep(path)) return 'must not contain ".."';
  // oxlint-disable-next-line no-control-regex -- it ends the name of a file
  if (/\u0000/.test(path)) return 'must not contain a null character';
  return undefined;
}

/** Why a file cannot be written to a path of a volume. Names that begin with two dots are the writer's. */
export function filePathProblem(path: string): string | undefined {
  return innerPathProblem(path) ?? (path.startsWith('..') ? 'must not begin with ".."' : undefined);
}

/** Whether a path has a part that leads out of its folder. */
export function hasBackStep(path: string): boolean {
  return path.split(/[/\\]/).includes('..');
}
