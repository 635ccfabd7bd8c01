import { stringify } from 'yaml';
import type { ManifestRequest } from './request/manifest-request.ts';
import type { WindowsManifests } from './windows-manifests.ts';

/** The manifests as one stream of documents for `kubectl apply -f -`, headed by what has to be known about them. */
export function manifestsYaml({ version, network }: ManifestRequest, { objects, notes }: WindowsManifests): string {
  const heading = [`For Kubernetes ${version}, network ${network}, made by keadm kube manifests`, ...notes];
  const documents = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return [heading.map((line) => `# ${line}\n`).join(''), ...documents].join('---\n');
}
