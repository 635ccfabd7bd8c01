import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import type { EdgecoreConfig } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import type { ModuleDefinition } from './agent-module.ts';
import { type BackoffPolicy, exponentialBackoff, inTurn } from './waiting.ts';
import { describeFailure, failureFields } from './describe-failure.ts';
import { ModuleSlot, type ModuleReport } from './module-slot.ts';

const START_TIMEOUT_MS = 30_000;
/** All modules together have to be done before a service manager loses patience. */
const STOP_TIMEOUT_MS = 5_000;
const RESTARTS: BackoffPolicy = { firstMs: 1_000, capMs: 60_000, healthyAfterMs: 120_000 };

/** What the supervisor is made with. The definitions are in the order of their start. */
export interface SupervisorOptions {
  readonly definitions: readonly ModuleDefinition[];
  readonly log: Logger;
  readonly random: () => number;
  /** Called when the state of a module may have changed. */
  readonly onChange: () => void;
  readonly restarts?: BackoffPolicy;
  readonly startTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
}

/** Keeps the modules running, each for itself. */
export interface ModuleSupervisor {
  /** Starts in order what the configuration enables. A module that can't start does not keep the others from it. */
  start(config: EdgecoreConfig): Promise<void>;
  /**
   * Takes up another configuration by changing only the modules whose part of it differs; returns their names.
   * If one of them can't start, all of them get the old configuration back and `RELOAD_REVERTED` is thrown.
   * A stop breaks it off with `INTERRUPTED`.
   */
  reload(config: EdgecoreConfig): Promise<readonly string[]>;
  /** Stops in the reverse order. */
  stop(): Promise<void>;
  reports(): readonly ModuleReport[];
}

interface Place {
  readonly definition: ModuleDefinition;
  readonly slot: ModuleSlot;
}

/** Makes the supervisor, with nothing started. */
export function superviseModules(options: SupervisorOptions): ModuleSupervisor {
  const places = options.definitions.map((definition) => ({ definition, slot: slotFor(definition, options) }));
  const ordered = inTurn();
  let current: EdgecoreConfig | undefined;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  return {
    start: async (config) =>
      ordered(async () => {
        current = config;
        for (const { definition, slot } of places) {
          if (definition.enabled(config) && !stopping) await slot.run(config);
        }
      }),
    reload: async (config) =>
      ordered(async () => {
        if (current === undefined) throw new Error('Reloaded before it was started');
        const changed = await changeOver({ places, before: current, after: config, isStopping, log: options.log });
        current = config;
        return changed;
      }),
    async stop() {
      stopping = true;
      for (const { slot } of places) slot.interrupt();
      await ordered(async () => {
        for (const { slot } of places.toReversed()) await slot.stop();
      });
    },
    reports: () => places.map(({ slot }) => slot.report()),
  };
}

function slotFor(definition: ModuleDefinition, options: SupervisorOptions): ModuleSlot {
  return new ModuleSlot({
    definition,
    log: options.log.with({ module: definition.name }),
    backoff: exponentialBackoff(options.restarts ?? RESTARTS, options.random),
    startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
    stopTimeoutMs: options.stopTimeoutMs ?? STOP_TIMEOUT_MS,
    onChange: options.onChange,
  });
}

interface ChangeOver {
  readonly places: readonly Place[];
  readonly before: EdgecoreConfig;
  readonly after: EdgecoreConfig;
  readonly isStopping: () => boolean;
  readonly log: Logger;
}

async function changeOver(change: ChangeOver): Promise<readonly string[]> {
  const { places, before, after, isStopping } = change;
  const touched: Place[] = [];
  for (const place of places.filter(({ definition }) => differs(definition, before, after))) {
    if (isStopping()) throw interrupted();
    touched.push(place);
    try {
      await apply(place, after);
    } catch (cause) {
      await revert(change, touched, cause);
      throw isStopping() ? interrupted(cause) : reverted(place.slot.name, cause);
    }
  }
  await retryWaiting(change, touched);
  return touched.map(({ slot }) => slot.name);
}

/** An agent that stops puts nothing back: what it started now would only have to be stopped again. */
async function revert(
  { before, isStopping, log }: ChangeOver,
  touched: readonly Place[],
  cause: unknown,
): Promise<void> {
  if (isStopping()) return;
  const module = touched.at(-1)?.slot.name ?? '';
  log.error('A module rejected the new configuration', { module, ...failureFields(cause) });
  for (const done of touched.toReversed()) if (!isStopping()) await putBack(done, before);
}

function differs(definition: ModuleDefinition, before: EdgecoreConfig, after: EdgecoreConfig): boolean {
  if (definition.enabled(before) !== definition.enabled(after)) return true;
  return definition.enabled(after) && !isDeepStrictEqual(definition.part(before), definition.part(after));
}

async function apply({ definition, slot }: Place, config: EdgecoreConfig): Promise<void> {
  await (definition.enabled(config) ? slot.change(config) : slot.stop());
}

async function putBack({ definition, slot }: Place, config: EdgecoreConfig): Promise<void> {
  await (definition.enabled(config) ? slot.run(config) : slot.stop());
}

/** A reload is also how an operator says "try again now" to a module that waits after a failure. */
async function retryWaiting({ places, after, isStopping }: ChangeOver, touched: readonly Place[]): Promise<void> {
  for (const place of places) {
    if (isStopping()) throw interrupted();
    if (touched.includes(place) || !place.definition.enabled(after)) continue;
    if (place.slot.running) place.slot.tryAgain();
    else await place.slot.run(after);
  }
}

function interrupted(cause?: unknown): OperatorError {
  return new OperatorError('INTERRUPTED', 'Cannot reload: the agent is being stopped', {
    hint: 'Start the agent again; it reads the configuration then.',
    cause,
  });
}

function reverted(name: string, cause: unknown): OperatorError {
  return new OperatorError(
    'RELOAD_REVERTED',
    `Cannot start module "${name}" with the new configuration: ${describeFailure(cause).message}`,
    {
      hint: 'The old configuration is in effect again. Correct the file, then reload the agent.',
      cause,
      details: { module: name },
    },
  );
}
