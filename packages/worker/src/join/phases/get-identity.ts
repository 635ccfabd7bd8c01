import type { Phase } from '@fenestra/kernel';
import type { RequestIdentity, WriteSecret } from '@fenestra/steps';
import { BOOTSTRAP_SECRET, type KubeJoinFacts } from '../join-facts.ts';

/** The kubelet's certificate, got here and now; or the token, for a kubelet that is to get it by itself. */
export const getIdentity: Phase<KubeJoinFacts> = {
  id: 'get-identity',
  title: 'Get an identity for the node',
  plan({ joining, layout, nodeName: node }) {
    if (joining === undefined) return [];
    if (joining.bootstrap === 'kubelet') {
      const { bootstrapKubeconfig: path } = layout;
      const secret: WriteSecret = {
        kind: 'write-secret',
        path,
        secret: BOOTSTRAP_SECRET,
        sha256: joining.bootstrapSha256,
        ownRights: true,
      };
      return [secret];
    }
    const { path, content } = joining.kubeconfig;
    const request: RequestIdentity = {
      kind: 'request-identity',
      node,
      credentials: BOOTSTRAP_SECRET,
      certificatesFolder: layout.certificatesFolder,
      kubeconfig: { path, content },
      limitSeconds: joining.bootstrapSeconds,
    };
    return [request];
  },
};
