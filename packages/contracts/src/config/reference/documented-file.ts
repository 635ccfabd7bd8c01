import { cloudcoreDefaults } from '../cloudcore/defaults.ts';
import { CLOUDCORE_EFFECTS } from '../cloudcore/effects.ts';
import { CloudcoreConfig } from '../cloudcore/schema.ts';
import { edgecoreDefaults } from '../edgecore/defaults.ts';
import { EDGECORE_EFFECTS } from '../edgecore/effects.ts';
import { EdgecoreConfig } from '../edgecore/schema.ts';
import type { Effects } from '../reading/effects.ts';
import { CLOUDCORE_MEANINGS } from './cloudcore-meanings.ts';
import { EDGECORE_MEANINGS } from './edgecore-meanings.ts';

/** A kind of configuration file with all that its reference is made of. */
export interface DocumentedFile {
  readonly name: string;
  readonly introduction: string;
  readonly schema: typeof EdgecoreConfig | typeof CloudcoreConfig;
  readonly meanings: Readonly<Record<string, string>>;
  readonly effects: Effects;
  readonly defaults: unknown;
  /** Where it can also be used on Windows. */
  readonly windowsDefaults?: unknown;
}

/** The files operators write. */
export const DOCUMENTED_FILES: readonly DocumentedFile[] = [
  {
    name: 'edgecore',
    introduction:
      'What the agent on a node reads: `/etc/kubeedge/config/edgecore.yaml`, on Windows `C:\\etc\\kubeedge\\config\\edgecore.yaml`, or what `edgecore --config` names. `edgecore --defaultconfig` prints all of it, `edgecore --minconfig` the part most nodes need.',
    schema: EdgecoreConfig,
    meanings: EDGECORE_MEANINGS,
    effects: EDGECORE_EFFECTS,
    defaults: edgecoreDefaults('linux'),
    windowsDefaults: edgecoreDefaults('windows'),
  },
  {
    name: 'cloudcore',
    introduction:
      'What the cloud reads: the file that `cloudcore --config` names. `cloudcore --defaultconfig` prints all of it, `cloudcore --minconfig` the part most clouds need. The version may be v1alpha1, as KubeEdge itself writes it, or v1alpha2, as its Helm chart does.',
    schema: CloudcoreConfig,
    meanings: CLOUDCORE_MEANINGS,
    effects: CLOUDCORE_EFFECTS,
    defaults: cloudcoreDefaults(),
  },
];
