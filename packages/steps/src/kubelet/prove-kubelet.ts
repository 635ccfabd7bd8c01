import { dirname } from 'node:path';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import { nextPause, pause } from '@fenestra/platform';
import * as z from 'zod/mini';
import { withWorkerCluster, type StepPorts } from '@fenestra/session';
import { blameFullDisk, serviceLog } from '../health/last-log-lines.ts';
import { defineStep } from '../define-step.ts';
import {
  askHealthz,
  healthzUrl,
  judgeKubelet,
  type KubeletGoal,
  type KubeletVerdict,
  type NodeSight,
} from './judge-kubelet.ts';

const LONGEST_PAUSE_MS = 1_000;

const KubeletProof = z.object({
  service: z.string(),
  node: z.string(),
  /** `kubelet.conf`: the cluster is asked as the node itself. */
  kubeconfig: z.string(),
  /** `null` for a kubelet that was configured not to tell. */
  healthz: z.nullable(z.object({ address: z.string(), port: z.number() })),
  /** The kubelet's log, where the service manager does not keep it. */
  logFile: z.string(),
  /** How well it has to be: ready, or at least registered and waiting for nothing but a network plugin. */
  wants: z.enum(['registered', 'ready']),
  /** The version that the node has to report; `null` for any. */
  version: z.nullable(z.string()),
  limitSeconds: z.number(),
  settleSeconds: z.number(),
});
export type KubeletProof = z.infer<typeof KubeletProof>;

/** Waits until the kubelet works: one process, well by its own word, known to its cluster, for the settle time. */
export const proveKubelet = defineStep({
  kind: 'prove-kubelet',
  data: KubeletProof,
  describe: ({ settleSeconds }) => `Prove that the kubelet works, for ${settleSeconds} s`,
  apply: async (step, _before, context, signal) => awaitKubelet(step, context, signal),
  revert: async () => {},
});

/** Returns once the kubelet has worked for the settle time; throws `KUBELET_UNHEALTHY` if it does not in time. */
export async function awaitKubelet(
  proof: KubeletProof,
  context: Pick<StepContext<StepPorts>, 'ports' | 'say'>,
  signal: AbortSignal,
): Promise<void> {
  await untilProved(proof, context, signal).catch(async (failure: unknown) => {
    throw await blameFullDisk(context.ports.host, [dirname(proof.kubeconfig), dirname(proof.logFile)], failure);
  });
}

async function untilProved(
  step: KubeletProof,
  { ports, say }: Pick<StepContext<StepPorts>, 'ports' | 'say'>,
  signal: AbortSignal,
): Promise<void> {
  const judge = observer(step, ports);
  const began = performance.now();
  let healthySince: number | undefined;
  let said = '';
  for (;;) {
    const verdict = await judge(signal);
    const waited = performance.now() - began;
    if (verdict.state === 'hopeless') throw await unhealthy(step, verdict, ports);
    if (verdict.state === 'healthy') healthySince ??= waited;
    else healthySince = undefined;
    if (healthySince !== undefined && waited - healthySince >= step.settleSeconds * 1000)
      return tellOfNetwork(step, verdict, say);
    if (verdict.state === 'waiting' && waited > step.limitSeconds * 1000) throw await unhealthy(step, verdict, ports);
    if (verdict.state === 'waiting' && verdict.reason !== said) say((said = verdict.reason));
    await pause(nextPause(waited, LONGEST_PAUSE_MS), 'proving that the kubelet works', signal);
  }
}

/** Judges the kubelet again and again, and remembers which process it was. */
function observer(step: KubeletProof, ports: StepPorts): (signal: AbortSignal) => Promise<KubeletVerdict> {
  const goal: KubeletGoal = { node: step.node, wants: step.wants, version: step.version, since: new Date() };
  const url = step.healthz === null || step.healthz.port === 0 ? undefined : healthzUrl(step.healthz);
  let firstPid: number | undefined;
  return async (signal) => {
    const service = await ports.services.status(step.service);
    if (service.state === 'running') firstPid ??= service.pid;
    const healthz = url === undefined ? undefined : { url, answer: await askHealthz(url, signal) };
    return judgeKubelet({ service, firstPid, healthz, cluster: await lookAtNode(step, ports, signal) }, goal);
  };
}

/** Asks again every time: the kubelet may write its kubeconfig and certificate only now. */
async function lookAtNode(
  { node, kubeconfig }: KubeletProof,
  ports: StepPorts,
  signal: AbortSignal,
): Promise<NodeSight> {
  try {
    return await withWorkerCluster(ports, { kubeconfigFile: kubeconfig }, async (cluster) => ({
      node: await cluster.node(node, signal),
      lastSeen: await cluster.lastSeen(node, signal),
    }));
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code === 'NOT_SUPPORTED' || signal.aborted) throw error;
    return { trouble: error.message };
  }
}

function tellOfNetwork({ node }: KubeletProof, verdict: KubeletVerdict, say: StepContext<StepPorts>['say']): void {
  if (!('waitsForNetwork' in verdict)) return;
  say(
    `the node "${node}" is registered and gets ready once a network plugin is installed: ${verdict.waitsForNetwork}`,
    {
      lasting: true,
    },
  );
}

async function unhealthy(
  { service, logFile, limitSeconds }: KubeletProof,
  verdict: Exclude<KubeletVerdict, { state: 'healthy' }>,
  { services }: StepPorts,
): Promise<OperatorError> {
  const late = verdict.state === 'waiting' ? ` within ${limitSeconds} s` : '';
  const code = (verdict.state === 'hopeless' ? verdict.code : undefined) ?? 'KUBELET_UNHEALTHY';
  return new OperatorError(code, `The kubelet did not prove that it works${late}: ${verdict.reason}`, {
    hint: `Look at the last lines of its log, remove the cause, then run the command again; "${services.commandLine('logs', service)}" shows more of it.`,
    details: await serviceLog(services, service, logFile),
  });
}
