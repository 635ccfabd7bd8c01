import type { PodFacts } from '../facts.ts';
import { newestSandbox, type ObservedSandbox } from '../observed.ts';
import { needsInstance } from './start.ts';

/** What becomes of a pod's sandbox: it stays, a new one replaces it, or the pod needs none any more. */
export type SandboxNeed =
  | { readonly kind: 'keep'; readonly sandbox: ObservedSandbox }
  | { readonly kind: 'replace'; readonly attempt: number }
  | { readonly kind: 'end' };

/** Decides whether a pod needs a new sandbox, as a kubelet does. */
export function sandboxNeed(facts: PodFacts): SandboxNeed {
  const { observed, pod } = facts;
  const newest = newestSandbox(observed);
  if (newest !== undefined && isUsable(facts, newest)) return { kind: 'keep', sandbox: newest };
  const wasStarted = newest !== undefined && observed.containers.some(({ state }) => state !== 'created');
  if (pod.spec.restartPolicy === 'Never' && wasStarted) return { kind: 'end' };
  return hasEnded(facts) ? { kind: 'end' } : { kind: 'replace', attempt: (newest?.attempt ?? -1) + 1 };
}

function isUsable({ observed, pod }: PodFacts, sandbox: ObservedSandbox): boolean {
  const hostNetwork = pod.spec.hostNetwork === true;
  return (
    sandbox.ready &&
    observed.sandboxes.every(({ id, ready }) => id === sandbox.id || !ready) &&
    sandbox.hostNetwork === hostNetwork &&
    (hostNetwork || sandbox.ips.length > 0)
  );
}

/** Whether the pod was initialised, and no regular container is to be started again. */
function hasEnded(facts: PodFacts): boolean {
  const { containers, initContainers = [], restartPolicy } = facts.pod.spec;
  const names = new Set(containers.map(({ name }) => name));
  const initialized = initContainers.length === 0 || facts.observed.containers.some(({ name }) => names.has(name));
  const remaining = facts.observed.containers.some(({ state, name }) => names.has(name) && state === 'running');
  return initialized && !remaining && containers.every(({ name }) => !needsInstance(facts, name, restartPolicy));
}
