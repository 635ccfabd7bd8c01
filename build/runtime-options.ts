import type { Target } from './targets.ts';

/**
 * What the Node.js inside the executable is started with. Some variables of the environment take effect before any
 * JavaScript runs, and this program often runs as root, so they are overridden here: `NODE_OPTIONS` by
 * `execArgvExtension`, the others by the options that take precedence over them.
 */
export function runtimeOptions({ name }: Target): { execArgv: readonly string[]; execArgvExtension: 'none' } {
  const nullDevice = name.startsWith('windows') ? 'NUL' : '/dev/null';
  return {
    execArgv: [
      // No inspector on SIGUSR1, nor by the debug handler of Windows.
      '--disable-sigusr1',
      // OPENSSL_CONF can name libraries to load.
      `--openssl-config=${nullDevice}`,
      // NODE_ICU_DATA
      `--icu-data-dir=${nullDevice}`,
      // NODE_REDIRECT_WARNINGS and NODE_PENDING_DEPRECATION
      '--no-warnings',
      '--no-use-env-proxy',
      '--no-use-system-ca',
    ],
    execArgvExtension: 'none',
  };
}

/**
 * The main script carries a V8 code cache that V8 always rejects, because it is made with these flags: a script that has a
 * cache is never looked up in the folder that `NODE_COMPILE_CACHE` names, and what is found there would be run. The
 * flags also make its bytes reproducible.
 */
export const REJECTED_CODE_CACHE = {
  useCodeCache: true,
  flags: ['--predictable', '--hash-seed=1', '--random-seed=1'],
} as const;
