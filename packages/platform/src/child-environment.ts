/** What programs need on any system, in capitals: names differ in case on Windows, and proxies are written either way. */
const INHERITED = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY KEADM_CA_FILE SSL_CERT_FILE SSL_CERT_DIR',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP OS COMPUTERNAME NUMBER_OF_PROCESSORS PSMODULEPATH',
    'USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PUBLIC PROGRAMDATA ALLUSERSPROFILE',
    'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432',
  ].flatMap((names) => names.split(' ')),
);
const INHERITED_FAMILIES = /^(?:LC_|PROCESSOR_)/;

/**
 * The environment of a program that this process starts: an allow-list, because ours may hold tokens and passwords, and
 * variables that load code into other programs. `alsoInherited` names what this kind of program needs besides.
 */
export function childEnvironment(
  added: Readonly<Record<string, string>> = {},
  alsoInherited?: RegExp,
): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => isInherited(name.toUpperCase(), alsoInherited));
  return { ...Object.fromEntries(inherited), ...added };
}

function isInherited(name: string, alsoInherited: RegExp | undefined): boolean {
  return INHERITED.has(name) || INHERITED_FAMILIES.test(name) || alsoInherited?.test(name) === true;
}
