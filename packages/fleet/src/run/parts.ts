/** The parts of a node's work that are tried again by themselves, as the worker does them. */
export type NodePart = 'survey' | 'deliver' | 'execute' | 'prove' | 'roll-back';
