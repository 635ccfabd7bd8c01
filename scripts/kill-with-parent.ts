import { existsSync } from 'node:fs';
import { getuid } from 'node:process';

const SETPRIV = '/usr/bin/setpriv';
const isLinuxRoot = existsSync(SETPRIV) && getuid?.() === 0;

/** The command, changed so that it gets this signal when its parent ends, however that ends. */
export function endsWithParent(command: readonly string[], signal: 'TERM' | 'KILL'): readonly string[] {
  return existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', signal, ...command] : command;
}

/**
 * The command in PID and mount namespaces: the kernel ends everything in them, services and their containers included,
 * when the command or its parent ends. The first process is bash because it reaps orphans.
 */
export function contained(command: readonly string[]): readonly string[] {
  if (!isLinuxRoot) return endsWithParent(command, 'KILL');
  const namespaces = ['unshare', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child=KILL'];
  return endsWithParent([...namespaces, 'bash', '-c', '"$@"; exit $?', 'suite', ...command], 'KILL');
}
