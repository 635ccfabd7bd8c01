import {
  afterProbe,
  nextProbeAt,
  type Probe,
  type ProbeContext,
  probeNow,
  type ProbeState,
  type ProbeVerdict,
} from '@fenestra/pods';
import { createAlarm } from '../../modules/waiting.ts';
import type { ProbeResult } from './run-probe.ts';

/** What a loop is made with. */
export interface ProbeLoopOptions {
  readonly probe: Probe;
  readonly state: ProbeState;
  readonly context: ProbeContext;
  /** From when on the probe may run at all, on the clock of `now`. */
  readonly notBefore: number;
  /** A clock that never jumps, in milliseconds. */
  readonly now: () => number;
  /** Runs the probe once. It ends within the time that the probe has. */
  readonly run: (signal: AbortSignal) => Promise<ProbeResult>;
  /** Called for every run. */
  readonly onResult: (result: ProbeResult) => void;
  readonly onVerdict: (verdict: ProbeVerdict, result: ProbeResult) => void;
}

/** Timers have a longest time; a wait that is longer is looked at again. */
const LONGEST_WAIT_MS = 3_600_000;

/** Runs one probe of one instance at its times, beside everything else. */
export class ProbeLoop {
  readonly #options: ProbeLoopOptions;
  readonly #alarm = createAlarm();
  readonly #ending = new AbortController();
  #state: ProbeState;
  #context: ProbeContext;

  constructor(options: ProbeLoopOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#context = options.context;
    void this.#run();
  }

  get state(): ProbeState {
    return this.#state;
  }

  /** What decides whether the probe runs may have changed. */
  change(context: ProbeContext): void {
    const { now, notBefore } = this.#options;
    const before = this.#context;
    this.#context = context;
    if (context.started && !before.started && notBefore <= now()) this.#state = probeNow(this.#state, now());
    if (context.started !== before.started || context.terminating !== before.terminating) this.#alarm.ring();
  }

  stop(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { now } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const waitMs = (nextProbeAt(this.#state, this.#context) ?? Infinity) - now();
      if (waitMs <= 0) await this.#probe(signal);
      else await this.#alarm.wait(waitMs === Infinity ? waitMs : Math.min(waitMs, LONGEST_WAIT_MS), signal);
    }
  }

  async #probe(signal: AbortSignal): Promise<void> {
    const { probe, now, run, onResult, onVerdict } = this.#options;
    const ranAt = now();
    const result = await run(signal).catch((cause: unknown): ProbeResult => ({
      outcome: 'error',
      output: String(cause),
    }));
    if (signal.aborted) return;
    onResult(result);
    const before = this.#state.verdict;
    this.#state = afterProbe(this.#state, probe, result.outcome, ranAt);
    const { verdict } = this.#state;
    if (verdict !== undefined && verdict !== before) onVerdict(verdict, result);
  }
}
