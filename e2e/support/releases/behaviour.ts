/** What is wrong with the misbehaving agent. */
export const BEHAVIOURS = ['exit', 'hang', 'deaf', 'crash', 'podless'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Where the misbehaving agent finds out how to misbehave, and where agents keep their state, on each system. */
export const BEHAVIOUR_PLACES = {
  'linux-x64': { file: '/opt/agent-behaviour', stateFolder: '/var/lib/kubeedge' },
  'windows-x64': { file: 'C:\\Users\\Public\\agent-behaviour', stateFolder: 'C:\\var\\lib\\kubeedge' },
} as const;
