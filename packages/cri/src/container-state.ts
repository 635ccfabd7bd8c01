/** The numbers of the interface, without loading the description of every message. */
const STATES = ['created', 'running', 'exited', 'unknown'] as const;

/** The state of an instance of a container. */
export function containerStateOf({ state }: { readonly state: number }): (typeof STATES)[number] {
  return STATES[state] ?? 'unknown';
}
