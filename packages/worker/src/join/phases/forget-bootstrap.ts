import { dirname } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type DiscardPath, type RemovePath } from '@fenestra/steps';
import type { KubeJoinFacts } from '../join-facts.ts';

/** The token has done its work, and what the new files replaced is no way back any more. */
export const forgetBootstrap: Phase<KubeJoinFacts> = {
  id: 'forget-bootstrap',
  title: 'Delete the token and what was replaced',
  plan({ joining, layout }) {
    if (joining === undefined) return [];
    const { bootstrap, files, kubeconfig, replacedBootstrapSha256 } = joining;
    const byKubelet = bootstrap === 'kubelet';
    const { bootstrapKubeconfig: token } = layout;
    const replaced = [...files, ...(byKubelet ? [] : [kubeconfig])];
    return [
      ...(byKubelet || replacedBootstrapSha256 !== undefined ? [removal(token)] : []),
      ...(byKubelet ? previous(token, replacedBootstrapSha256) : []),
      ...replaced.flatMap(({ path, replacedSha256 }) => previous(path, replacedSha256)),
    ];
  },
};

function removal(path: string): RemovePath {
  return { kind: 'remove-path', path, root: dirname(path), pointOfNoReturn: true };
}

function previous(path: string, digest: string | undefined): readonly DiscardPath[] {
  if (digest === undefined) return [];
  return [{ kind: 'discard-path', path: previousVersion(path, digest), root: dirname(path), pointOfNoReturn: true }];
}
