import { getBuiltinModule } from 'node:process';
import { stopCoverage } from 'node:v8';

/** Variables of Node.js and of the libraries inside it. `NODE_ENV` is none: only packages read it. */
const RUNTIME_VARIABLE = /^(?:(?:NODE_(?!ENV$)|OPENSSL_|OSSL_|UV_|CTLOG_|WATCH_).*|RANDFILE|QLOGDIR|SSLKEYLOGFILE)$/i;

/**
 * Makes the executable ignore variables that change how Node.js runs a program. This program often runs as root, and
 * anyone who sets a variable must not be able to add code, certificates or debug output to it. The build's `execArgv`
 * handles those that take effect before any JavaScript runs (`build/runtime-options.ts`).
 *
 * Linux replaces the process by one without them, under the same pid. Windows cannot: it undoes their effects, except
 * for the output of `NODE_DEBUG`.
 */
export function ignoreRuntimeVariables(): void {
  const found = Object.keys(process.env).filter((name) => RUNTIME_VARIABLE.test(name));
  if (found.length === 0) return;
  if (process.env['NODE_V8_COVERAGE'] !== undefined) stopCoverage();
  for (const name of found) Reflect.deleteProperty(process.env, name);
  try {
    process.execve?.(process.execPath, [process.argv0, ...process.argv.slice(2)], process.env);
  } catch {
    // Windows has no such call.
  }
  // Loaded only here: most commands need no TLS.
  const { rootCertificates, setDefaultCACertificates } = getBuiltinModule('node:tls');
  setDefaultCACertificates(rootCertificates);
}
