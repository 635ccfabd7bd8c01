import { homedir } from 'node:os';

/** The environment of a service: none of what the shell of whoever started it happened to hold. */
export function cleanEnvironment(): Readonly<Record<string, string>> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homedir(),
    LANG: 'C.UTF-8',
  };
}
