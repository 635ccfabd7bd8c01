import { type FSWatcher, watch } from 'node:fs';
import { type JsonObject, stringAt } from '@fenestra/kernel';
import { type FileProblem, type Manifest, takeManifests } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import { createAlarm, pause } from '../../modules/waiting.ts';
import { type FolderOptions, lookAtFolder, SETTLE_MS } from './manifest-folder.ts';
import type { ManifestMemory } from './manifest-memory.ts';

/** The pods that the files of a folder on this node define. */
export interface StaticPods {
  /** As JSON, with a name, an identity and the defaults of the API server. */
  readonly pods: readonly JsonObject[];
  /** Whether the folder has been looked at: a file that is still being written keeps the pod that it had. */
  readonly isComplete: boolean;
}

/** What following a folder takes. */
export interface StaticPodsOptions extends FolderOptions {
  readonly nodeName: string;
  /** Empty if this node has no static pods. */
  readonly folder: string;
  /** How often to look without being notified. */
  readonly lookEveryMs: number;
  readonly memory: ManifestMemory;
  readonly log: Logger;
  readonly onChange: () => void;
}

/** Notifications come in groups. */
const GROUP_MS = 100;

/** Follows the folder until the signal fires. */
export function followStaticPods(
  options: StaticPodsOptions,
  signal: AbortSignal,
): StaticPods & { readonly ended: Promise<void> } {
  const follower = new Follower(options);
  return Object.assign(follower, { ended: follower.run(signal) });
}

class Follower implements StaticPods {
  readonly #options: StaticPodsOptions;
  readonly #alarm = createAlarm();
  #manifests: readonly Manifest[] = [];
  #watcher: FSWatcher | undefined;
  /** What the log says already. */
  #reported: ReadonlySet<string> = new Set();
  isComplete = false;

  constructor(options: StaticPodsOptions) {
    this.#options = options;
  }

  get pods(): readonly JsonObject[] {
    return this.#manifests.map(({ pod }) => pod);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#options.folder === '') return this.#complete();
    await this.#follow(signal);
    this.#watcher?.close();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    await this.#recall();
    while (!signal.aborted) {
      const isSettled = await this.#look();
      this.#complete();
      await this.#alarm.wait(isSettled ? this.#options.lookEveryMs : SETTLE_MS, signal);
      await pause(GROUP_MS, signal);
    }
  }

  #complete(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    this.#options.onChange();
  }

  async #recall(): Promise<void> {
    const { memory, log, nodeName } = this.#options;
    try {
      const recalled = await memory.recall();
      this.#manifests = recalled.filter(({ pod }) => stringAt(pod, 'spec', 'nodeName') === nodeName);
    } catch (cause) {
      log.warn('Cannot read which static pods this node had', failureFields(cause));
    }
  }

  /** Returns whether no file has to be looked at again soon. */
  async #look(): Promise<boolean> {
    this.#watch();
    const { folder, log, nodeName, now } = this.#options;
    const look = await lookAtFolder(folder, this.#options);
    if ('problem' in look) {
      this.#report([{ file: folder, reason: look.problem }], []);
      return true;
    }
    const { manifests, problems } = takeManifests(this.#manifests, look.files, { nodeName, now: now() });
    this.#report(problems, look.otherNames);
    if (!isSame(manifests, this.#manifests)) {
      log.info('The static pods of this node have changed', { files: manifests.map(({ file }) => file).join(', ') });
      await this.#keep(manifests);
    }
    return look.files.every(({ text, problem }) => text !== undefined || problem !== undefined);
  }

  /** Kept before anything is started, so that a pod which runs has a definition after a crash. */
  async #keep(manifests: readonly Manifest[]): Promise<void> {
    const { memory, log, onChange } = this.#options;
    await memory.save(manifests).catch((cause: unknown) => {
      log.warn('Cannot write down which static pods this node has', failureFields(cause));
    });
    this.#manifests = manifests;
    onChange();
  }

  #report(problems: readonly FileProblem[], otherNames: readonly string[]): void {
    const { log } = this.#options;
    const said = new Set<string>();
    const say = (level: 'error' | 'info', message: string, fields: Record<string, string | number>): void => {
      const key = JSON.stringify([message, fields]);
      said.add(key);
      if (!this.#reported.has(key)) log[level](message, fields);
    };
    for (const { file, line, reason } of problems)
      say('error', 'Cannot use a file of static pods', { file, ...(line !== undefined && { line }), reason });
    for (const name of otherNames)
      say('info', 'A file is not one of a static pod: its name ends in none of .yaml, .yml, .json', { file: name });
    this.#reported = said;
  }

  /** Watches again each time, since the folder may be another one by now. Without it, looking has to do. */
  #watch(): void {
    this.#watcher?.close();
    try {
      const watcher = watch(this.#options.folder, { persistent: false }, () => this.#alarm.ring());
      this.#watcher = watcher.on('error', () => watcher.close());
    } catch {
      this.#watcher = undefined;
    }
  }
}

/** What did not change is the same object. */
function isSame(some: readonly Manifest[], others: readonly Manifest[]): boolean {
  return some.length === others.length && some.every((manifest, index) => manifest === others[index]);
}
