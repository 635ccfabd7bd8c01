import { dirname, join } from 'node:path';
import { edgecoreDefaults, type EdgecoreConfig, type NodeOs } from '@fenestra/contracts';
import type { NodeLayout } from '@fenestra/platform';

/** A setting that is a path. */
interface PathSetting {
  /** Dotted. */
  readonly field: string;
  readonly read: (config: EdgecoreConfig) => string;
  readonly place: (layout: NodeLayout) => string;
}

const caFile = ({ configFolder }: NodeLayout): string => join(configFolder, 'ca', 'rootCA.crt');
const certificateFile = ({ configFolder }: NodeLayout): string => join(configFolder, 'certs', 'server.crt');
const keyFile = ({ configFolder }: NodeLayout): string => join(configFolder, 'certs', 'server.key');

const SETTINGS: readonly PathSetting[] = [
  {
    field: 'database.dataSource',
    read: ({ database }) => database.dataSource,
    place: ({ stateFolder }) => join(stateFolder, 'edgecore.db'),
  },
  { field: 'modules.edgeHub.tlsCaFile', read: ({ modules }) => modules.edgeHub.tlsCaFile, place: caFile },
  { field: 'modules.edgeHub.tlsCertFile', read: ({ modules }) => modules.edgeHub.tlsCertFile, place: certificateFile },
  {
    field: 'modules.edgeHub.tlsPrivateKeyFile',
    read: ({ modules }) => modules.edgeHub.tlsPrivateKeyFile,
    place: keyFile,
  },
  {
    field: 'modules.metaManager.metaServer.tlsCaFile',
    read: ({ modules }) => modules.metaManager.metaServer.tlsCaFile,
    place: caFile,
  },
  {
    field: 'modules.metaManager.metaServer.tlsCertFile',
    read: ({ modules }) => modules.metaManager.metaServer.tlsCertFile,
    place: certificateFile,
  },
  {
    field: 'modules.metaManager.metaServer.tlsPrivateKeyFile',
    read: ({ modules }) => modules.metaManager.metaServer.tlsPrivateKeyFile,
    place: keyFile,
  },
  {
    field: 'modules.edged.rootDirectory',
    read: ({ modules }) => modules.edged.rootDirectory,
    place: ({ stateFolder }) => join(dirname(stateFolder), 'kubelet'),
  },
];

/** The paths that nobody chose and that this node, living below a folder of its own, has elsewhere: `[field, path]`. */
export function movedPaths(
  config: EdgecoreConfig,
  layout: NodeLayout,
  os: NodeOs,
): readonly (readonly [string, string])[] {
  const usual = edgecoreDefaults(os);
  const moved = SETTINGS.filter(({ read, place }) => read(config) === read(usual) && read(usual) !== place(layout));
  return moved.map(({ field, place }) => [field, place(layout)]);
}
