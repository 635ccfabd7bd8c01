import type { Phase } from '@fenestra/kernel';
import { requestIdentity, writeSecret } from '@fenestra/steps';
import { BOOTSTRAP_SECRET, type KubeJoinFacts } from './join-facts.ts';

/** The kubelet's certificate, got here and now; or the token, for a kubelet that is to get it by itself. */
export const getIdentity: Phase<KubeJoinFacts> = {
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
