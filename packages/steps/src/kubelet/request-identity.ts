import { generateKeyPairSync, X509Certificate, createPrivateKey } from 'node:crypto';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { withWorkerCluster, type StepPorts } from '@fenestra/session';
import { defineStep } from '../define-step.ts';
import { BeforeFile, lookAt, putBack, putInPlace } from '../replaced-files.ts';
import { placePrivately, removePrivately } from '../write-file.ts';
import { obtainCertificate } from './await-certificate.ts';
import { BeforeCurrent, currentPair, lookAtCurrent, pairOf, pointCurrentAt, putCurrentBack } from './identity-files.ts';

const RequestIdentity = z.object({
  node: z.string(),
  /** Which of the run's secrets is the kubeconfig to ask with. */
  credentials: z.string(),
  /** Where the kubelet keeps its certificates. */
  certificatesFolder: z.string(),
  /** `kubelet.conf`: it leads to the certificate and key, and holds neither. */
  kubeconfig: z.object({ path: z.string(), content: z.string() }),
  limitSeconds: z.number(),
});
type RequestIdentity = z.infer<typeof RequestIdentity>;

const Before = z.object({ pair: z.string(), current: BeforeCurrent, kubeconfig: BeforeFile });
type Before = z.infer<typeof Before>;

/**
 * Gets the kubelet's client certificate from the cluster, for a key that is made here and never leaves the machine, and
 * puts both where a kubelet that replaces its certificates by itself looks for them.
 */
export const requestIdentity = defineStep({
  kind: 'request-identity',
  data: RequestIdentity,
  before: Before,
  describe: ({ node }) => `Get a client certificate for the node "${node}" from the cluster`,
  prepare: async ({ certificatesFolder, kubeconfig }) => ({
    pair: pairOf(certificatesFolder, new Date()),
    current: await lookAtCurrent(currentPair(certificatesFolder)),
    kubeconfig: await lookAt(kubeconfig.path),
  }),
  async apply(step, before, context, signal) {
    await placeIdentity(step, before, await obtainPair(step, context, signal), context, signal);
    // Last: once it is there, the identity is complete.
    await putInPlace(step.kubeconfig, before.kubeconfig, context.ports, signal);
  },
  async revert({ certificatesFolder, kubeconfig }, before, { ports }, signal) {
    await putBack(kubeconfig.path, before.kubeconfig, ports, signal);
    await putCurrentBack(currentPair(certificatesFolder), before.current, ports, signal);
    await removePrivately(before.pair, ports, signal);
  },
});

/** Certificate and key, in the one file that a kubelet keeps them in. */
async function obtainPair(
  { node, credentials, limitSeconds }: RequestIdentity,
  { ports, say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<string> {
  const key = newPrivateKey();
  const certificate = await withWorkerCluster(ports, { kubeconfig: credentialsOf(ports, credentials) }, (cluster) =>
    obtainCertificate(cluster, key, { node, limitSeconds, say }, signal),
  );
  requireUsable(certificate, key);
  return `${certificate.trimEnd()}\n${key}`;
}

async function placeIdentity(
  { certificatesFolder }: RequestIdentity,
  { pair, current: before }: Before,
  content: string,
  { ports, say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  await placePrivately(pair, content, ports, signal);
  const current = { path: currentPair(certificatesFolder), before };
  if ((await pointCurrentAt(pair, content, current, ports, signal)) === 'linked') return;
  say(`"${current.path}" is a file, because no links can be made here: the kubelet cannot replace its certificate`, {
    lasting: true,
  });
}

/** P-256, in the form that the kubelet writes: `EC PRIVATE KEY`. */
function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

function requireUsable(certificate: string, key: string): void {
  const parsed = parseCertificate(certificate);
  if (parsed?.checkPrivateKey(createPrivateKey(key)) !== true) throw useless();
  const now = new Date();
  if (now < parsed.validFromDate || now > parsed.validToDate) throw clockWrong(parsed, now);
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function credentialsOf({ secrets }: StepPorts, name: string): string {
  const kubeconfig = secrets.get(name);
  if (kubeconfig !== undefined) return kubeconfig;
  throw new OperatorError('NOT_SUPPORTED', `Cannot continue without the secret "${name}" of the interrupted command`, {
    hint: 'Run the interrupted command again; it starts from the beginning.',
  });
}

function useless(): OperatorError {
  return new OperatorError(
    'CERTIFICATE_INVALID',
    'Cannot use the certificate the cluster has issued: it is for another key',
    {
      hint: 'Read the log of the kube-controller-manager of the cluster, or of the signer of its certificates.',
    },
  );
}

function clockWrong({ validFromDate, validToDate }: X509Certificate, now: Date): OperatorError {
  return new OperatorError(
    'CLOCK_WRONG',
    "By this machine's clock the certificate the cluster has issued is not valid",
    {
      hint: "Compare this machine's clock with the control plane's and set it right.",
      details: { now: now.toISOString(), from: validFromDate.toISOString(), to: validToDate.toISOString() },
    },
  );
}
