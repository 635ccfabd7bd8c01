import { stepDefiner } from '@fenestra/kernel';
import type { StepPorts } from '@fenestra/session';

/** Defines a kind of step on a node: its data, what it does, and the function that makes one for a plan. */
export const defineStep = stepDefiner<StepPorts>();
