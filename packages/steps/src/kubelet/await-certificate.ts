import { OperatorError } from '@fenestra/kernel';
import { nextPause, pause } from '@fenestra/platform';
import type { RequestedCertificate, WorkerCluster } from '@fenestra/session';

const LONGEST_PAUSE_MS = 2_000;

/** What is waited for, and how long. */
export interface CertificateWait {
  readonly node: string;
  readonly limitSeconds: number;
  readonly say: (text: string) => void;
}

/** Asks for a client certificate and returns it once it is there, as PEM. */
export async function obtainCertificate(
  cluster: WorkerCluster,
  privateKey: string,
  wait: CertificateWait,
  signal: AbortSignal,
): Promise<string> {
  const request = await cluster.requestCertificate(wait.node, privateKey, signal);
  wait.say(`waiting for the certificate request "${request}" to be approved`);
  const began = performance.now();
  for (;;) {
    const answer = await lookAt(cluster, request, signal);
    if (answer.state === 'issued') return answer.certificate;
    if (answer.state !== 'pending') throw refused(request, answer);
    const waited = performance.now() - began;
    if (waited > wait.limitSeconds * 1000) throw neverApproved(request, wait.limitSeconds, answer.trouble);
    await pause(nextPause(waited, LONGEST_PAUSE_MS), 'waiting for a client certificate', signal);
  }
}

type Sight =
  | Exclude<RequestedCertificate, { state: 'pending' }>
  | { readonly state: 'pending'; readonly trouble?: OperatorError };

/** A cluster that does not answer for a moment is asked again. */
async function lookAt(cluster: WorkerCluster, request: string, signal: AbortSignal): Promise<Sight> {
  try {
    return await cluster.certificate(request, signal);
  } catch (error) {
    const passing = error instanceof OperatorError && ['API_UNREACHABLE', 'API_FAILED'].includes(error.code);
    if (!passing || signal.aborted) throw error;
    return { state: 'pending', trouble: error };
  }
}

function refused(
  request: string,
  { state, reason }: Extract<RequestedCertificate, { state: 'denied' | 'failed' }>,
): OperatorError {
  const message =
    state === 'denied'
      ? `The cluster denied the certificate request "${request}": ${reason}`
      : `The cluster's signer refused the certificate request "${request}": ${reason}`;
  const hint =
    state === 'denied'
      ? 'Ask the administrator of the cluster for the reason, then run the command again.'
      : "Look at the log of the cluster's kube-controller-manager, remove the cause, then run the command again.";
  return new OperatorError('IDENTITY_REFUSED', message, { hint, details: { request, verdict: state } });
}

function neverApproved(request: string, limitSeconds: number, cause: OperatorError | undefined): OperatorError {
  const message = `The certificate request "${request}" was not approved within ${limitSeconds} s`;
  return new OperatorError('TIMED_OUT', message, {
    hint: 'Enable automatic approval of new nodes in the cluster, or approve the next request with "kubectl certificate approve NAME" while the command waits.',
    cause,
    details: { request },
  });
}
