/**
 * Runs one of the project's programs with everything it needs installed: `node scripts/run.mjs PROGRAM [ARGS…]`.
 * It is plain JavaScript because it is all that the machine's own, perhaps older, Node.js has to understand.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function runOrExit(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, PATH: path() } });
  if (error !== undefined) console.error(`Error: Cannot run "${command}": ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** The project's own Node.js comes first, so that every program below runs on it. */
function path() {
  return `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
}

function install(folder, npmArgs) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules/.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error(`Installing what ${folder} needs`);
  // Not `npm ci`: it refuses a lockfile that does not list optional packages for systems no one here has.
  runOrExit('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...npmArgs], folder);
  writeFileSync(stamp, lock);
}

install(root, []);
// Runtimes for other systems than this one: npm takes them only by force.
install(join(root, 'build/runtimes'), ['--force']);

/**
 * Runs the program and passes signals on to it. It never outlives this process, and this process never outlives npm: npm
 * passes on what ends it except SIGKILL, so its pid is checked.
 */
function runProgram(command, args) {
  const setpriv = '/usr/bin/setpriv';
  const bound = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'TERM', command, ...args] : [command, ...args];
  const child = spawn(bound[0], bound.slice(1), { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path() } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const parents = npmAndItsShell();
  const watch = setInterval(() => {
    if (String(npmAndItsShell()) !== String(parents)) child.kill('SIGTERM');
  }, 500);
  child.on('error', (error) => console.error(`Error: Cannot run "${command}": ${error.message}`));
  child.on('close', (status) => {
    clearInterval(watch);
    process.exitCode = status ?? 1;
  });
}

/** The processes that started this one, where npm did so. */
function npmAndItsShell() {
  if (process.env.npm_lifecycle_event === undefined || process.platform !== 'linux') return [];
  const { name, parent } = processOf(process.ppid);
  // Most shells give way to the last command that they are given; then npm is the parent.
  return name?.startsWith('npm') ? [process.ppid] : [process.ppid, parent];
}

function processOf(pid) {
  try {
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { name, parent: rest.split(' ')[1] };
  } catch {
    return {};
  }
}

const [program, ...args] = process.argv.slice(2);
runProgram(join(root, 'node_modules/.bin/node'), [join(root, program), ...args]);
