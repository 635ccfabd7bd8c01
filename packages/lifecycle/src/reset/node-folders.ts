import { basename, dirname, join, relative, sep } from 'node:path';
import { AGENT_STATUS_FILE, type EdgecoreConfig } from '@fenestra/contracts';
import type { NodeLayout } from '@fenestra/platform';
import { filesOf, isWithin, type NodeFolder } from '@fenestra/steps';

/** Where to look, and what to leave alone. */
export interface FolderWishes {
  readonly layout: NodeLayout;
  /** The folder that is the whole machine for this node. Nothing outside it is the node's. */
  readonly root: string;
  readonly config: EdgecoreConfig | undefined;
  readonly keepBackups: boolean;
  /** The folder that the agent's kubelet works in, if it is this node's alone. */
  readonly kubeletFolder: string | undefined;
  /** The program that runs right now, which cannot remove itself everywhere. */
  readonly executable: string;
}

/** What upstream's commands put into the configuration folder, on one system or the other. */
const UPSTREAM_NAMES: readonly string[] = ['upgrade', 'dmi.sock', 'kubeedge-v*', 'checksum_kubeedge-v*'];
/** What an agent's kubelet makes for itself. Anything else tells that the folder is not the agent's alone. */
export const KUBELET_NAMES: readonly string[] = [
  'pods',
  'plugins',
  'plugins_registry',
  'pod-resources',
  'device-plugins',
  'checkpoints',
  'usernamespaces',
  '*_state',
  ...filesOf('static_pods_state'),
];

/** The folders of a node as our join and upstream's make it; those inside another come before it. */
export function nodeFolders(wishes: FolderWishes): readonly NodeFolder[] {
  const claims = [
    ...configurationFolders(wishes),
    ...stateFolders(wishes),
    ...programFolders(wishes),
    ...configuredFolders(wishes.config),
  ];
  return merged(claims.filter(({ path }) => isWithin(path, wishes.root))).toSorted((a, b) => depth(b) - depth(a));
}

/** The places where a node's program can be: ours and upstream's. */
export function agentPrograms({ agentExecutable }: NodeLayout, root: string): readonly string[] {
  return [...new Set([agentExecutable, join(root, 'usr', 'local', 'bin', basename(agentExecutable))])];
}

function configurationFolders({ layout, keepBackups }: FolderWishes): readonly NodeFolder[] {
  const { configFolder, agentConfigFile, tokenFile, versionFile, backupsFolder } = layout;
  const backups = keepBackups ? [] : [basename(backupsFolder), 'backup'];
  return [
    own(dirname(agentConfigFile), filesOf(basename(agentConfigFile))),
    own(join(configFolder, 'ca'), filesOf('rootCA.crt')),
    own(join(configFolder, 'certs'), [...filesOf('server.crt'), ...keyFiles('server.key')]),
    own(join(configFolder, 'manifests'), []),
    own(configFolder, [
      ...filesOf(basename(tokenFile)),
      ...filesOf(basename(versionFile)),
      ...backups,
      ...UPSTREAM_NAMES,
    ]),
  ];
}

function stateFolders({ layout, root, kubeletFolder }: FolderWishes): readonly NodeFolder[] {
  const { stateFolder, agentLogFile, downloadsFolder } = layout;
  const logs = [`${basename(agentLogFile)}*`, 'edgecore.log*', 'edgecore.*.log*'];
  return [
    own(dirname(agentLogFile), logs),
    own(stateFolder, ['edgecore.db*', ...filesOf(AGENT_STATUS_FILE), 'kubeedge.sock']),
    own(downloadsFolder, ['*']),
    own(join(root, 'var', 'log', 'kubeedge'), logs),
    own(join(root, 'var', 'lib', 'edged'), ['*']),
    ...(kubeletFolder === undefined ? [] : [own(kubeletFolder, KUBELET_NAMES)]),
  ];
}

/** A folder of programs is ours only where it lies inside our configuration; `/usr/local/bin` never is. */
function programFolders({ layout, root, executable }: FolderWishes): readonly NodeFolder[] {
  const others = agentPrograms(layout, root).filter((program) => relative(program, executable) !== '');
  return others.map((program) => ({
    path: dirname(program),
    names: filesOf(basename(program)),
    own: isWithin(dirname(program), layout.configFolder),
  }));
}

/** What the agent makes where its configuration says; the folders are the operator's unless they are the usual ones. */
function configuredFolders(config: EdgecoreConfig | undefined): readonly NodeFolder[] {
  if (config === undefined) return [];
  const { tlsCaFile, tlsCertFile, tlsPrivateKeyFile } = config.modules.edgeHub;
  const { dataSource } = config.database;
  return [
    ...[tlsCaFile, tlsCertFile].map((path) => shared(path, filesOf(basename(path)))),
    shared(tlsPrivateKeyFile, keyFiles(basename(tlsPrivateKeyFile))),
    shared(dataSource, [`${basename(dataSource)}*`, ...filesOf(AGENT_STATUS_FILE)]),
  ];
}

function own(path: string, names: readonly string[]): NodeFolder {
  return { path, names, own: true };
}

function shared(file: string, names: readonly string[]): NodeFolder {
  return { path: dirname(file), names, own: false };
}

function keyFiles(name: string): readonly string[] {
  return [name, `${name}.next`, `${name}.pending`].flatMap(filesOf);
}

function merged(claims: readonly NodeFolder[]): readonly NodeFolder[] {
  return [...Map.groupBy(claims, ({ path }) => path)].map(([path, same]) => ({
    path,
    names: [...new Set(same.flatMap(({ names }) => names))],
    own: same.some((claim) => claim.own),
  }));
}

function depth({ path }: NodeFolder): number {
  return path.split(sep).length;
}
