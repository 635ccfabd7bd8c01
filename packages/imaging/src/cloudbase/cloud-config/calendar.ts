/** Whether there is such a day. */
export function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  // `Date.UTC` takes the years before 100 for others.
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
