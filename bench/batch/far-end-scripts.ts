/** The version that our runs bring the targets to. */
export const VERSION = 'v9.9.9';

/** The folders of a node in a target's home: one that is upgraded has them. */
export const NODE_FOLDERS: readonly string[] = ['etc/kubeedge', 'var/lib/kubeedge'];

/** What a target's scripts depend on. */
export interface TargetHabits {
  /** Whether the executable is removed after its use, so that those of many targets fit into the memory. */
  readonly discard: boolean;
}

/** The short command of all methods, run by the executable: it prints the last bytes of the file that it runs from. */
export const PRINT_MARK = 'tail -c 64 /proc/$$/exe';

/**
 * What a target does when it is instructed to run keadm: the short command that all methods run, and the traces by which the
 * next run sees that there is nothing to do.
 */
export function farEndScript(agent: number): string {
  const status = { version: VERSION, pid: agent, startedAt: '', reloads: 0, connected: true };
  return `
read -r job
echo '{"type":"attached","id":"bench","found":false}'
echo ${VERSION} > etc/kubeedge/version.txt
echo '${JSON.stringify(status)}' > var/lib/kubeedge/agent-status.json
echo '{"type":"line","text":"'"$(${PRINT_MARK})"'","next":65}'
echo '{"type":"ended","exit":{"exitCode":0,"endedAt":"","stopped":null},"result":""}'
`;
}

/** What it answers when it is asked how it is. Only then is the executable needed no more. */
export function statusScript({ discard }: TargetHabits): string {
  const answer = { healthy: true, services: { agent: { state: 'running' } }, node: { version: VERSION } };
  return `
echo '${JSON.stringify(answer)}'
${discard ? 'rm -f "$(readlink /proc/$$/exe)"' : ''}
`;
}
