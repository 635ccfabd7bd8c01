import type { PodReport } from '@fenestra/contracts';
import { type Pod, podHealth, podKey, type PodStatus } from '@fenestra/pods';
import type { StatusReporter } from './status-reporter.ts';

/** How the pods of this node are, for the status of the agent. */
export interface PodsReport {
  /** `undefined` while the node runs no pods. */
  present(): readonly PodReport[] | undefined;
  /** Begins a report, without pods. */
  begin(): void;
  end(): void;
  put(pod: Pod, status: PodStatus): void;
  remove(uid: string): void;
}

/** So many removed pods are named. */
const REMOVED_LIMIT = 200;
/** Changes of many pods at once are reported once. */
const PAUSE_MS = 500;

/** Makes a report. `onChange` is called when it has changed. */
export function podsReport(now: () => Date, onChange: () => void): PodsReport {
  let pods: Map<string, { readonly pod: Pod; readonly status: PodStatus }> | undefined;
  let removed: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const scheduleChange = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, PAUSE_MS).unref();
  };
  return {
    present() {
      if (pods === undefined) return undefined;
      const time = now().getTime();
      const known = Array.from(pods.values(), ({ pod, status }) => ({
        name: podKey(pod),
        ...podHealth(pod, status, time),
      }));
      return [...known, ...removed.map((name) => ({ name, state: 'removed' as const }))];
    },
    begin() {
      pods = new Map();
      removed = [];
      scheduleChange();
    },
    end() {
      pods = undefined;
      scheduleChange();
    },
    put(pod, status) {
      pods?.set(pod.metadata.uid, { pod, status });
      scheduleChange();
    },
    remove(uid) {
      const found = pods?.get(uid);
      if (found === undefined) return;
      pods?.delete(uid);
      removed = [...removed, podKey(found.pod)].slice(-REMOVED_LIMIT);
      scheduleChange();
    },
  };
}

/** A reporter that puts what it reports to the cloud into the status of the agent too. */
export function reportingTo<Reporter extends StatusReporter>(reporter: Reporter, report: PodsReport): Reporter {
  return {
    ...reporter,
    report(pod, status) {
      report.put(pod, status);
      reporter.report(pod, status);
    },
    reportEnd(pod, status) {
      report.put(pod, status);
      reporter.reportEnd(pod, status);
    },
    forget(uid) {
      report.remove(uid);
      reporter.forget(uid);
    },
  };
}
