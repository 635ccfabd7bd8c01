import type { StepHandler, StepKind } from '@fenestra/kernel';
import type { StepPorts } from '@fenestra/session';
import * as kinds from './kinds.ts';

const KINDS: readonly Pick<StepKind<never, StepPorts>, 'handler'>[] = Object.values(kinds);

/** Every kind of step there is, so that recovery can handle each one in a journal. */
export const STEP_HANDLERS: readonly StepHandler<StepPorts>[] = KINDS.map(({ handler }) => handler);
