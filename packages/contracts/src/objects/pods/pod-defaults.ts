import { objectAt, stringAt, type JsonObject } from '@fenestra/kernel';
import { isMirrorPod } from '../../node-restriction/mirror-pod.ts';
import { withDefaults, withEach, withObject } from '../json-fields.ts';

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const FILE_VOLUMES = ['configMap', 'downwardAPI', 'projected', 'secret'];
// Read and write for the owner, read for everybody else: 0644.
const FILE_MODE = 420;

/** A pod with everything filled in that its author left out. */
export function podDefaults<P extends JsonObject>(pod: P): P {
  const account = isMirrorPod({ metadata: objectAt(pod, 'metadata') }) ? '' : 'default';
  return { ...pod, spec: podSpecDefaults(withAccount(objectAt(pod, 'spec'), account)) };
}

/** The deprecated field always says the same as the one that replaced it. A mirror pod has no service account. */
function withAccount(spec: JsonObject, usual: string): JsonObject {
  const account = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount') || usual;
  return account === '' ? spec : { ...spec, serviceAccountName: account, serviceAccount: account };
}

/** The specification of a pod with everything filled in but the service account. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  const filled = withDefaults(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  });
  const withVolumes = withEach(filled, 'volumes', volumeDefaults);
  return CONTAINER_LISTS.reduce((result, list) => withEach(result, list, containerDefaults), withVolumes);
}

function containerDefaults(container: JsonObject): JsonObject {
  const filled = withDefaults(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(stringAt(container, 'image')),
  });
  const withPorts = withEach(filled, 'ports', (port) => withDefaults(port, { protocol: 'TCP' }));
  return PROBES.reduce((result, probe) => withObject(result, probe, probeDefaults), withPorts);
}

/** An image without a tag, or with the tag that moves, is looked for again at every start. */
function pullPolicy(image: string): string {
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  if (lastPart.includes('@')) return 'IfNotPresent';
  return !lastPart.includes(':') || lastPart.endsWith(':latest') ? 'Always' : 'IfNotPresent';
}

function probeDefaults(probe: JsonObject): JsonObject {
  const filled = withDefaults(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  return withObject(filled, 'httpGet', (get) => withDefaults(get, { path: '/', scheme: 'HTTP' }));
}

function volumeDefaults(volume: JsonObject): JsonObject {
  if (Object.keys(volume).length === 1) return { ...volume, emptyDir: {} };
  const withModes = FILE_VOLUMES.reduce(
    (result, source) => withObject(result, source, (files) => withDefaults(files, { defaultMode: FILE_MODE })),
    volume,
  );
  const withPath = withObject(withModes, 'hostPath', (path) => withDefaults(path, { type: '' }));
  return withObject(withPath, 'projected', (projected) => withEach(projected, 'sources', sourceDefaults));
}

function sourceDefaults(source: JsonObject): JsonObject {
  return withObject(source, 'serviceAccountToken', (token) => withDefaults(token, { expirationSeconds: 3600 }));
}
