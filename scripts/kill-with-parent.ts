import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';
const NAMESPACES = ['--pid', '--mount', '--mount-proc', '--fork', '--kill-child=KILL'];
/** Not even root may do it in a container without CAP_SYS_ADMIN. */
const canContain = spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;

/** The command, changed so that it gets this signal when its parent ends, however that ends. */
export function endsWithParent(command: readonly string[], signal: 'TERM' | 'KILL'): readonly string[] {
  return existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', signal, ...command] : command;
}

/**
 * The command in PID and mount namespaces: the kernel ends everything in them, services and their containers included,
 * when the command or its parent ends. The first process is bash because it reaps orphans.
 */
export function contained(command: readonly string[]): readonly string[] {
  if (!canContain) return endsWithParent(command, 'KILL');
  return endsWithParent(['unshare', ...NAMESPACES, 'bash', '-c', '"$@"; exit $?', 'suite', ...command], 'KILL');
}
