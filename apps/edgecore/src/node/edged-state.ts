/** Whether pods can run on this node, in the words of condition `Ready`. */
export interface EdgedState {
  readonly ready: boolean;
  readonly reason: string;
  readonly message: string;
}

/** What an agent says that has nothing to run pods with. */
export function withoutEdged(isEnabled: boolean): EdgedState {
  if (!isEnabled) {
    const message = 'this node runs no pods: "modules.edged.enable" is false in its configuration';
    return { ready: false, reason: 'EdgedDisabled', message };
  }
  const message = 'this node runs no pods: its agent has no edged module yet';
  return { ready: false, reason: 'EdgedMissing', message };
}
