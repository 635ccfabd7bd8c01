/** The folders of a search path. */
export function splitPath(path: string): string[] {
  return path.split(';').filter((entry) => entry.trim() !== '');
}

/** The path with the folder at its end, or as it is if it holds the folder already in any spelling. */
export function addEntry(path: string, folder: string): string {
  if (splitPath(path).some((entry) => isSame(entry, folder))) return path;
  const separator = path === '' || path.endsWith(';') ? '' : ';';
  return `${path}${separator}${folder}`;
}

/** The path without the folder in any spelling; the rest keeps its spelling and order. */
export function removeEntry(path: string, folder: string): string {
  if (!splitPath(path).some((entry) => isSame(entry, folder))) return path;
  return path
    .split(';')
    .filter((entry) => !isSame(entry, folder))
    .join(';');
}

function isSame(left: string, right: string): boolean {
  return normalize(left) === normalize(right);
}

function normalize(entry: string): string {
  const plain = entry.trim().replaceAll('"', '').replaceAll('/', '\\').toLowerCase();
  return plain.replace(/(?<!^[a-z]:)\\+$/, '');
}
