import { OperatorError } from '../errors/operator-error.ts';
import type { Json, Step } from './step.ts';

/** Checks data that comes back from a file. Any schema library's object fits. */
export interface Parser<T> {
  parse(data: unknown): T;
}

/** What a step works with. `progress` and `say` may be called as often as wanted; neither is journaled. */
export interface StepContext<Ports> {
  readonly ports: Ports;
  readonly progress: (done: number, total: number) => void;
  /**
   * Tells people what the step waits for or what it found: `waiting for the cloud`. Never a secret. What is `lasting`,
   * such as something that was left undone, is worth knowing when the command has ended, too.
   */
  readonly say: (text: string, wishes?: { readonly lasting?: boolean }) => void;
}

/**
 * What a kind of step does. Every method is safe to run again after a crash in the middle of it.
 * `prepare` only reads: what it returns is on disk before `apply` acts, so `revert` knows the world as it was
 * even if the process died inside `apply`.
 */
export interface StepDefinition<S extends Step, Before extends Json, Ports> {
  readonly kind: S['kind'];
  readonly step: Parser<S>;
  readonly before: Parser<Before>;
  /** One line for people, in the imperative: `Install service "edgecore"`. */
  describe(step: S): string;
  prepare(step: S, context: StepContext<Ports>, signal: AbortSignal): Promise<Before>;
  apply(step: S, before: Before, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
  revert(step: S, before: Before, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
  /**
   * Makes the world again what `apply` left, before recovery reverts the steps after this one: a boot in between starts
   * a service that the plan had stopped.
   */
  uphold?(step: S, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
}

/** A step definition with its types hidden, so that handlers of all kinds fit in one list. */
export type StepHandler<Ports> = StepDefinition<Step, Json, Ports>;

/** Hides a definition's types behind its own parsers: a step from an old journal is checked before it is believed. */
export function defineStep<S extends Step, Before extends Json, Ports>(
  definition: StepDefinition<S, Before, Ports>,
): StepHandler<Ports> {
  const { kind, step: steps, before: befores } = definition;
  const uphold = definition.uphold?.bind(definition);
  return {
    kind,
    step: steps,
    before: befores,
    describe: (step) => definition.describe(steps.parse(step)),
    prepare: async (step, context, signal) => definition.prepare(steps.parse(step), context, signal),
    apply: async (step, before, context, signal) =>
      definition.apply(steps.parse(step), befores.parse(before), context, signal),
    revert: async (step, before, context, signal) =>
      definition.revert(steps.parse(step), befores.parse(before), context, signal),
    ...(uphold === undefined
      ? {}
      : { uphold: async (step, context, signal) => uphold(steps.parse(step), context, signal) }),
  };
}

/** Finds the handler of a step. An unknown kind means that another version of the program wrote the plan. */
export function handlerOf<Ports>(handlers: readonly StepHandler<Ports>[], step: Step): StepHandler<Ports> {
  const handler = handlers.find(({ kind }) => kind === step.kind);
  if (handler !== undefined) return handler;
  throw new OperatorError('NOT_SUPPORTED', `Cannot run a step of kind "${step.kind}"`, {
    hint: 'Run the version of keadm that began this work; "keadm journal show" names it.',
  });
}
