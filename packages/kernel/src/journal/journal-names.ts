const SUFFIX = '.journal';
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-/;
const SET_ASIDE_SUFFIX = '.set-aside';

/** What a journal that was set aside is called. */
export function setAsidePath(path: string): string {
  return `${path}${SET_ASIDE_SUFFIX}`;
}

/** The journals among the entries of a folder, oldest first. Other files, whose names would sort last, do not count. */
export function journalNames(entries: readonly string[]): readonly string[] {
  return entries.filter((name) => name.endsWith(SUFFIX) && TIME.test(name)).toSorted();
}

/** The name of the newest journal among the entries of a folder. One that was set aside counts, too. */
export function newestJournal(entries: readonly string[]): string | undefined {
  return journalNames(entries.map((name) => name.replace(SET_ASIDE_SUFFIX, ''))).at(-1);
}

/** A name that sorts after `newest`, even if the clock was set back since. */
export function nextJournal(command: string, now: Date, newest: string | undefined): string {
  const earliest = newest === undefined ? 0 : timeOf(newest) + 1;
  const time = new Date(Math.max(now.getTime(), earliest));
  return `${compactTime(time)}-${command.replaceAll(/\W+/g, '-')}${SUFFIX}`;
}

/** `20261115T094213.123Z`: sorts as the time does, and is a file name on every system. */
function compactTime(time: Date): string {
  return time.toISOString().replaceAll(/[-:]/g, '');
}

function timeOf(name: string): number {
  const [, year, month, day, hour, minute, second] = TIME.exec(name) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
  return Number.isNaN(time) ? 0 : time;
}
