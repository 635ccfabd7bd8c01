const NETBIOS_LENGTH = 15;

/** The host name that Windows gets of a wished one: its first label, at most 15 letters, no dash at the end. */
export function windowsHostName(wished: string): string {
  const label = wished.split('.', 1)[0] ?? '';
  const short = label.slice(0, NETBIOS_LENGTH);
  return short.replace(/-$/, '0');
}
