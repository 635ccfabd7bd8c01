import type { BackoffEntry } from '../backoff.ts';
import type { PodFacts, ProbeVerdicts, StopRequest } from '../facts.ts';
import { containerHash } from '../identity/container-hash.ts';
import { isAlive, type ObservedContainer, type ObservedSandbox } from '../observed.ts';
import type { Pod } from '../pod/pod.ts';
import type { PodStatus } from '../pod/status-fields.ts';
import { planPod } from '../plan/plan-pod.ts';
import type { PodAction, PodPlan } from '../plan/pod-plan.ts';

/** A container runtime as a model: it applies actions, and refuses what a real one would refuse. */
export class SimulatedRuntime {
  now = 1_000_000;
  sandboxes: ObservedSandbox[] = [];
  containers: ObservedContainer[] = [];
  pod: Pod;
  recorded?: PodStatus;
  stop?: StopRequest;
  endingSince?: number;
  /** Every start, as `name#attempt`. */
  readonly starts: string[] = [];
  readonly probes = new Map<string, ProbeVerdicts>();
  readonly starting = new Set<string>();
  readonly restartNow = new Set<string>();
  failures: PodFacts['failures'] = new Map();
  readonly #startTime = this.now;
  readonly #backoffs = new Map<string, BackoffEntry>();
  readonly #toRestart = new Set<string>();
  #ids = 0;

  constructor(pod: Pod) {
    this.pod = pod;
  }

  facts(): PodFacts {
    return {
      pod: this.pod,
      observed: { sandboxes: this.sandboxes, containers: this.containers },
      now: this.now,
      startTime: this.#startTime,
      backoffs: this.#backoffs,
      failures: this.failures,
      probes: this.probes,
      starting: this.starting,
      toRestart: this.#toRestart,
      restartNow: this.restartNow,
      loggedAttempts: new Map(),
      ...(this.recorded && { recorded: this.recorded }),
      ...(this.stop && { stop: this.stop }),
      ...(this.endingSince !== undefined && { endingSince: this.endingSince }),
    };
  }

  plan(): PodPlan {
    return planPod(this.facts());
  }

  /** Plans and acts until nothing is left to do at this time. Returns the last plan, which is empty. */
  settle(): PodPlan {
    for (let round = 0; round < 40; round += 1) {
      const plan = this.plan();
      if (plan.actions.length === 0) return plan;
      for (const action of plan.actions) this.apply(action);
      this.now += 1;
    }
    throw new Error(`no end of actions: ${JSON.stringify(this.plan())}`);
  }

  /** Settles, then waits for every back-off in turn, as long as the plan names a time. */
  settleWithTime(waits = 10): PodPlan {
    let plan = this.settle();
    for (let wait = 0; wait < waits && plan.wakeAt !== undefined; wait += 1) {
      this.now = Math.max(this.now, plan.wakeAt);
      plan = this.settle();
    }
    return plan;
  }

  apply(action: PodAction): void {
    switch (action.kind) {
      case 'create-sandbox':
        this.#createSandbox(action.attempt);
        break;
      case 'stop-sandbox':
        this.stopSandbox(action.id);
        break;
      case 'start-container':
        if (action.backoff) this.#backoffs.set(action.name, action.backoff);
        this.start(action.name, action.attempt);
        break;
      case 'kill-container':
        if (action.restart) this.#toRestart.add(action.id);
        this.#endOf(action.id, 137);
        break;
      case 'remove-container':
        this.containers = this.containers.filter(({ id }) => id !== action.id);
        break;
    }
  }

  /** Creates an instance, and starts it unless the agent is killed in between. */
  start(name: string, attempt: number, state: 'created' | 'running' = 'running'): void {
    const sandbox = this.sandboxes.find(({ ready }) => ready);
    if (sandbox === undefined) throw new Error(`"${name}" has no sandbox to start in`);
    const others = this.containers.filter((container) => container.name === name);
    if (others.some(isAlive)) throw new Error(`"${name}" was started twice`);
    if (others.some((other) => other.attempt === attempt)) throw new Error(`"${name}#${attempt}" is reserved`);
    if (state === 'running') this.starts.push(`${name}#${attempt}`);
    const image = this.#imageOf(name);
    this.containers.push({
      id: `${name}-${(this.#ids += 1)}`,
      name,
      sandboxId: sandbox.id,
      attempt,
      state,
      createdAt: this.now,
      ...(state === 'running' && { startedAt: this.now }),
      image,
      imageId: `sha256:${image}`,
      hash: containerHash({ name, image }),
    });
  }

  /** The newest instance of a container. */
  latest(name: string): ObservedContainer {
    const found = this.containers
      .filter((container) => container.name === name)
      .toSorted((a, b) => b.attempt - a.attempt)[0];
    if (found === undefined) throw new Error(`there is no container "${name}"`);
    return found;
  }

  exit(name: string, exitCode: number): void {
    this.#endOf(this.latest(name).id, exitCode);
  }

  change(id: string, change: Partial<ObservedContainer>): void {
    this.containers = this.containers.map((container) =>
      container.id === id ? { ...container, ...change } : container,
    );
  }

  /** Ends a sandbox with all that runs in it, as a reboot does. */
  stopSandbox(id: string, exitCode = 137): void {
    this.sandboxes = this.sandboxes.map((sandbox) =>
      sandbox.id === id ? { ...sandbox, ready: false, ips: [] } : sandbox,
    );
    for (const container of this.containers.filter(({ sandboxId }) => sandboxId === id)) {
      if (isAlive(container)) this.#endOf(container.id, exitCode);
    }
  }

  /** The names of what runs. */
  running(): readonly string[] {
    return this.containers
      .filter(isAlive)
      .map(({ name }) => name)
      .toSorted((a, b) => a.localeCompare(b));
  }

  #createSandbox(attempt: number): void {
    if (this.sandboxes.some((sandbox) => sandbox.ready)) throw new Error('a second sandbox was created');
    if (this.sandboxes.some((sandbox) => sandbox.attempt === attempt))
      throw new Error(`sandbox ${attempt} is reserved`);
    this.sandboxes.push({
      id: `sandbox-${attempt}`,
      attempt,
      ready: true,
      createdAt: this.now,
      ips: ['10.0.0.2'],
      hostNetwork: this.pod.spec.hostNetwork === true,
    });
  }

  #endOf(id: string, exitCode: number): void {
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    this.change(id, { state: 'exited', exitCode, finishedAt: this.now, reason });
  }

  #imageOf(name: string): string {
    const { containers, initContainers = [], ephemeralContainers = [] } = this.pod.spec;
    const all = [...containers, ...initContainers, ...ephemeralContainers];
    return all.find((container) => container.name === name)?.image ?? '';
  }
}
