import { OperatorError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Step } from './step.ts';

/** Checks data that comes back from a file. Any schema library's object fits. */
export interface Parser<T> {
  parse(data: unknown): T;
}

/** What a step works with. `progress` and `say` may be called as often up to date; neither is journaled. */
export interface StepContext<Ports> {
  readonly ports: Ports;
  readonly progress: (done: number, total: number) => void;
  /**
   * Tells people what the step waits for or what it found: `waiting for the cloud`. Never a secret. What is `lasting`,
   * such as something that was left undone, is worth knowing when the command has ended, too.
   */
  readonly say: (text: string, wishes?: { readonly lasting?: boolean }) => void;
}

/** What a step says besides its kind. */
export interface StepData {
  readonly [key: string]: Json | undefined;
}

/**
 * A kind of step. Every method is safe to run again after a crash in the middle of it.
 * `prepare` only reads: what it returns is on disk before `apply` acts, so `revert` knows the world as it was
 * even if the process died inside `apply`.
 */
export type StepDefinition<Data extends StepData, Before extends Json, Ports> = {
  readonly kind: string;
  readonly data: Parser<Data>;
  /** One line for people, in the imperative: `Install service "edgecore"`. */
  describe(data: Data): string;
  /** Checks what `prepare` returned; left out where there is nothing to know. */
  readonly before?: Parser<Before>;
  prepare?(data: Data, context: StepContext<Ports>, signal: AbortSignal): Promise<Before>;
  apply(data: Data, before: Before, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
  /**
   * Makes the world again what `apply` left, before recovery reverts the steps after this one: a boot in between starts
   * a service that the plan had stopped.
   */
  uphold?(data: Data, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
} & (
  | { revert(data: Data, before: Before, context: StepContext<Ports>, signal: AbortSignal): Promise<void> }
  /** Every step of this kind is a point of no return, so none is ever reverted. */
  | { readonly pointOfNoReturn: true }
);

/** What the executor needs to know of a kind of step. It takes steps of old journals: they are checked before use. */
export interface StepHandler<Ports> {
  readonly kind: string;
  describe(step: Step): string;
  prepare(step: Step, context: StepContext<Ports>, signal: AbortSignal): Promise<Json>;
  apply(step: Step, before: Json, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
  revert(step: Step, before: Json, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
  uphold?(step: Step, context: StepContext<Ports>, signal: AbortSignal): Promise<void>;
}

/** A kind of step as workflows use it: called with the data, it returns the step that its handler carries out. */
export interface StepKind<Data, Ports> {
  (data: Data): Step & Data;
  readonly handler: StepHandler<Ports>;
}

/** Returns the function that defines the kinds of steps which work with these ports. */
export function stepDefiner<Ports>() {
  return function defineStep<Data extends StepData, Before extends Json = null>(
    definition: StepDefinition<Data, Before, Ports>,
  ): StepKind<Data, Ports> {
    const { kind, data } = definition;
    const mark = 'pointOfNoReturn' in definition ? { pointOfNoReturn: true as const } : {};
    const make = (given: Data): Step & Data => ({ kind, ...data.parse(given), ...mark });
    return Object.assign(make, { handler: handlerFor(definition) });
  };
}

/** Hides a definition's types behind its own parsers. */
function handlerFor<Data extends StepData, Before extends Json, Ports>(
  definition: StepDefinition<Data, Before, Ports>,
): StepHandler<Ports> {
  const { kind, data, before: befores = NOTHING } = definition;
  const uphold = definition.uphold?.bind(definition);
  return {
    kind,
    describe: (step) => definition.describe(data.parse(step)),
    prepare: async (step, context, signal) => (await definition.prepare?.(data.parse(step), context, signal)) ?? null,
    apply: async (step, before, context, signal) =>
      definition.apply(data.parse(step), befores.parse(before), context, signal),
    async revert(step, before, context, signal) {
      if (!('revert' in definition)) throw new Error(`A step "${kind}" is a point of no return: it cannot be reverted`);
      await definition.revert(data.parse(step), befores.parse(before), context, signal);
    },
    ...(uphold === undefined
      ? {}
      : { uphold: async (step, context, signal) => uphold(data.parse(step), context, signal) }),
  };
}

const NOTHING: Parser<never> = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a parser, the type of `before` is null
  parse: () => null as never,
};

/** Finds the handler of a step. An unknown kind means that another version of the program wrote the plan. */
export function handlerOf<Ports>(handlers: readonly StepHandler<Ports>[], step: Step): StepHandler<Ports> {
  const handler = handlers.find(({ kind }) => kind === step.kind);
  if (handler !== undefined) return handler;
  throw new OperatorError('NOT_SUPPORTED', `Cannot run a step of kind "${step.kind}"`, {
    hint: 'Run the keadm version that started this operation; "keadm journal show" prints it.',
  });
}
