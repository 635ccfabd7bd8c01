import { dirname, join } from 'node:path';
import {
  blankToken,
  type EdgecoreConfig,
  type EdgeHost,
  loadEdgecoreConfig,
  minimalEdgecoreYaml,
  setInYaml,
  edgecoreDefaults,
  type NodeOs,
} from '@fenestra/contracts';
import type { HostFacts, NodeLayout } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import { cloudOf, endpointText } from './cloud-address.ts';
import type { CloudPlace, JoinWishes } from './join-wishes.ts';

/** The configuration a node joins with. */
export interface JoinConfiguration {
  /** What goes into the file. It may hold passwords, but never the join token. */
  readonly text: string;
  readonly config: EdgecoreConfig;
  readonly nodeName: string;
  /** The join token that stood in the given configuration. It is secret. */
  readonly token: string | undefined;
}

/** KubeEdge's default is to write no events. Then no one sees from the cloud why a pod does not start. */
const EVENTS = 'modules.edged.reportEvent=true';

type Setting = readonly [field: string, value: string];

/** Defaults, then the given file, then flags, then `--set`; every problem of the outcome is reported at once. */
export function joinConfiguration(
  wishes: JoinWishes,
  { os, hostName }: HostFacts,
  layout: NodeLayout,
): JoinConfiguration {
  const { configuration: given, nodeName: wantedName } = wishes;
  const host: EdgeHost = { hostName: wantedName ?? hostName, cloudAddress: '127.0.0.1' };
  if (given === undefined) requireNodeName(wantedName ?? hostName.toLowerCase());
  const load = (text: string): EdgecoreConfig =>
    loadEdgecoreConfig(text, given?.path ?? layout.agentConfigFile, os, host).config;

  const begun = given?.text ?? minimalEdgecoreYaml(os, host);
  const base = load(begun);
  const settings = [...movedPaths(base, layout, os), ...flagSettings(wishes, base)];
  const usual = given === undefined ? [EVENTS] : [];
  const asked = setInYaml(begun, [...usual, ...settings.map(assignment), ...wishes.assignments]);
  const config = load(asked);
  const nodeName = config.modules.edged.hostnameOverride;
  requireNodeName(nodeName);
  // The token waits in its own file, which is private and blanked after use.
  const token = config.modules.edgeHub.token.trim();
  return { text: blankToken(asked, token), config, nodeName, token: token === '' ? undefined : token };
}

/** Quoted, so that it stays a text whatever it looks like. */
function assignment([field, value]: Setting): string {
  return `${field}="${value}"`;
}

function flagSettings(wishes: JoinWishes, base: EdgecoreConfig): readonly Setting[] {
  const { cloud, nodeName, runtimeEndpoint, cgroupDriver, labels } = wishes;
  const kubelet = 'modules.edged.tailoredKubeletConfig';
  const settings: readonly (readonly [string, string | undefined])[] = [
    // Written out even if it is the host's: a host that is renamed stays the same node.
    ['modules.edged.hostnameOverride', nodeName ?? base.modules.edged.hostnameOverride],
    [`${kubelet}.containerRuntimeEndpoint`, runtimeEndpoint],
    [`${kubelet}.cgroupDriver`, cgroupDriver],
    ...(cloud === undefined ? [] : cloudSettings(cloud, base)),
    ...Object.entries(labels).map(([name, value]): Setting => [`modules.edged.nodeLabels.${name}`, value]),
  ];
  return settings.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]]));
}

function cloudSettings({ host, hubPort, certificatePort }: CloudPlace, base: EdgecoreConfig): readonly Setting[] {
  const usual = cloudOf(base);
  const certificates = endpointText({ host, port: certificatePort ?? usual.certificates.port });
  const hub = endpointText({ host, port: hubPort ?? usual.hub.port });
  return [
    ['modules.edgeHub.httpServer', `https://${certificates}`],
    ['modules.edgeHub.websocket.server', hub],
  ];
}

/** A node's name is also the value of its label "kubernetes.io/hostname", which is shorter than a name may be. */
const MOST_CHARACTERS = 63;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Throws `USAGE` with the rule for a name that Kubernetes would refuse: it takes an RFC 1123 subdomain. */
function requireNodeName(name: string): void {
  if (name.length <= MOST_CHARACTERS && name.split('.').every((label) => LABEL.test(label))) return;
  throw new OperatorError('USAGE', `Cannot call a node "${name}"`, {
    hint: `Give "--edgenode-name" a name of at most ${MOST_CHARACTERS} lower-case letters, digits, "-" and ".", with a letter or digit at both ends and beside each dot.`,
  });
}

type Place = (layout: NodeLayout) => string;

const caFile: Place = ({ configFolder }) => join(configFolder, 'ca', 'rootCA.crt');
const certificateFile: Place = ({ configFolder }) => join(configFolder, 'certs', 'server.crt');
const keyFile: Place = ({ configFolder }) => join(configFolder, 'certs', 'server.key');

/** The settings that are paths. */
const PLACES: Readonly<Record<string, Place>> = {
  'database.dataSource': ({ stateFolder }) => join(stateFolder, 'edgecore.db'),
  'modules.edgeHub.tlsCaFile': caFile,
  'modules.edgeHub.tlsCertFile': certificateFile,
  'modules.edgeHub.tlsPrivateKeyFile': keyFile,
  'modules.metaManager.metaServer.tlsCaFile': caFile,
  'modules.metaManager.metaServer.tlsCertFile': certificateFile,
  'modules.metaManager.metaServer.tlsPrivateKeyFile': keyFile,
  'modules.edged.rootDirectory': ({ stateFolder }) => join(dirname(stateFolder), 'kubelet'),
  'modules.edged.tailoredKubeletConfig.staticPodPath': ({ configFolder }) => join(configFolder, 'manifests'),
  'modules.edged.tailoredKubeletConfig.podLogsDir': ({ stateFolder }) =>
    join(dirname(stateFolder), '..', 'log', 'pods'),
};

/** The paths that no one chose and that this node, living below its own folder, has elsewhere: `[field, path]`. */
function movedPaths(config: EdgecoreConfig, layout: NodeLayout, os: NodeOs): readonly (readonly [string, string])[] {
  const usual = edgecoreDefaults(os);
  const places = Object.entries(PLACES).map(([field, place]) => [field, place(layout)] as const);
  return places.filter(([field, path]) => {
    const present = valueAt(config, field);
    return present === valueAt(usual, field) && !isSamePath(String(present), path);
  });
}

function valueAt(config: EdgecoreConfig, field: string): unknown {
  const keys = field.split('.');
  return keys.reduce<unknown>((value, key) => new Map(Object.entries(Object(value))).get(key), config);
}

/** Some usual paths have no drive on Windows either. */
function isSamePath(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => path.replace(/^C:/, '').replaceAll('\\', '/'));
  return first === second;
}
