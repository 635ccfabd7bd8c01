import type { Phase } from '@fenestra/kernel';
import {
  claimFolders,
  discardPrevious,
  markNode,
  proveKubelet,
  remove,
  requestIdentity,
  startService,
  stopUnlessStopped,
  sweepOnRevert,
  writeFile,
  writeSecret,
} from '@fenestra/steps';
import {
  createFolders,
  forgetPrevious,
  letApiServerIn,
  placeHost,
  placePrograms,
  registerService,
  writeRecord,
} from '../prepare/workflow.ts';
import { BOOTSTRAP_SECRET, changesService, type KubeJoinFacts } from './join-facts.ts';

const SWEEP_SECONDS = 120;

/** The kubelet's certificate, got here and now; or the token, for a kubelet that is to get it by itself. */
const getIdentity: Phase<KubeJoinFacts> = {
  id: 'get-identity',
  title: 'Get an identity for the node',
  plan({ joining, layout, nodeName: node }) {
    if (joining === undefined) return [];
    const { bootstrap, bootstrapSha256: sha256, bootstrapSeconds: limitSeconds, kubeconfig } = joining;
    const { bootstrapKubeconfig: path, certificatesFolder } = layout;
    if (bootstrap === 'kubelet') return [writeSecret({ path, secret: BOOTSTRAP_SECRET, sha256, ownRights: true })];
    return [requestIdentity({ node, credentials: BOOTSTRAP_SECRET, certificatesFolder, kubeconfig, limitSeconds })];
  },
};

/** Whatever fails before the token is forgotten leads back to the machine as it was. */
export const KUBE_JOIN: readonly Phase<KubeJoinFacts>[] = [
  createFolders,
  {
    // First, so that they are the last to go when a join is undone: with all that the kubelet made in them.
    id: 'claim-folders',
    title: "Claim the kubelet's folders",
    plan: ({ joining, claimed: folders }) => (joining === undefined ? [] : [claimFolders({ folders })]),
  },
  {
    // A kubelet that was prepared waits for its configuration, again and again: it must not find half of it.
    id: 'stop-for-change',
    title: 'Stop the kubelet',
    plan: (facts) => (changesService(facts) ? stopUnlessStopped(facts.service, facts.spec.name) : []),
  },
  placePrograms,
  placeHost,
  {
    // The cluster's CA, the kubelet's configuration and its flags, written together: the service honours them all at its start.
    id: 'write-configuration',
    title: "Write the kubelet's configuration",
    plan: ({ joining }) => (joining?.files ?? []).map(writeFile),
  },
  getIdentity,
  registerService,
  letApiServerIn,
  {
    // As soon as it runs, the cluster may give it pods: they must not stay behind if the join fails after all.
    id: 'start-kubelet',
    title: 'Start the kubelet',
    plan(facts) {
      if (!changesService(facts)) return [];
      const { spec, joining, criSocket: endpoint, layout } = facts;
      const { kubeletFolder } = layout;
      const sweep = sweepOnRevert({ endpoint, kubeletFolder, limitSeconds: SWEEP_SECONDS });
      return [...(joining === undefined ? [] : [sweep]), startService({ name: spec.name })];
    },
  },
  {
    // A join is done when the cluster has the node, and not when a process runs.
    id: 'prove-kubelet',
    title: 'Wait until the node has joined',
    plan(facts) {
      if (!changesService(facts)) return [];
      const { spec, nodeName, layout, healthz, waitReady, kubeletVersion, limitSeconds, settleSeconds } = facts;
      return [
        proveKubelet({
          service: spec.name,
          node: nodeName,
          kubeconfig: layout.kubeconfig,
          healthz: healthz ?? null,
          logFile: layout.logFile,
          wants: waitReady ? 'ready' : 'registered',
          // A worker whose kubelet does not say is judged by all the rest.
          version: kubeletVersion === '' ? null : kubeletVersion,
          limitSeconds,
          settleSeconds,
        }),
      ];
    },
  },
  {
    // Labels that the operator wants, and where the runtime is, for tools that look for it at the node.
    id: 'mark-node',
    title: 'Mark the node',
    plan({ joining, layout: { kubeconfig }, nodeName: node }) {
      if (joining === undefined) return [];
      const { labels, annotations } = joining;
      const isMarked = Object.keys({ ...labels, ...annotations }).length > 0;
      return isMarked ? [markNode({ kubeconfig, node, labels, annotations })] : [];
    },
  },
  writeRecord,
  {
    // The token has done its work, and what the new files replaced is not a rollback any more.
    id: 'forget-bootstrap',
    title: 'Delete the token and what was replaced',
    plan({ joining, layout: { bootstrapKubeconfig: token } }) {
      if (joining === undefined) return [];
      const { bootstrap, files, kubeconfig, replacedBootstrapSha256 } = joining;
      const byKubelet = bootstrap === 'kubelet';
      const replaced = [...files, ...(byKubelet ? [] : [kubeconfig])];
      return [
        ...(byKubelet || replacedBootstrapSha256 !== undefined ? [remove(token)] : []),
        ...(byKubelet ? discardPrevious(token, replacedBootstrapSha256) : []),
        ...replaced.flatMap(({ path, replacedSha256 }) => discardPrevious(path, replacedSha256)),
      ];
    },
  },
  forgetPrevious,
];
