import { cloudcoreDefaults } from '../cloudcore/load.ts';
import { CLOUDCORE_EFFECTS } from '../cloudcore/effects.ts';
import { CloudcoreConfig } from '../cloudcore/schema.ts';
import { edgecoreDefaults } from '../edgecore/load.ts';
import { EDGECORE_EFFECTS } from '../edgecore/effects.ts';
import { EdgecoreConfig } from '../edgecore/schema.ts';
import { meaningOf } from '../fields.ts';
import type { Effects } from '../reading/effects.ts';
import { isMapping, shapeOf } from '../reading/schema-shape.ts';

/** A kind of configuration file with all that its reference is made of. */
export interface DocumentedFile {
  readonly name: string;
  readonly introduction: string;
  readonly schema: typeof EdgecoreConfig | typeof CloudcoreConfig;
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
    effects: EDGECORE_EFFECTS,
    defaults: edgecoreDefaults('linux'),
    windowsDefaults: edgecoreDefaults('windows'),
  },
  {
    name: 'cloudcore',
    introduction:
      'What the cloud reads: the file that `cloudcore --config` names. `cloudcore --defaultconfig` prints all of it, `cloudcore --minconfig` the part most clouds need. The version may be v1alpha1, as KubeEdge itself writes it, or v1alpha2, as its Helm chart does.',
    schema: CloudcoreConfig,
    effects: CLOUDCORE_EFFECTS,
    defaults: cloudcoreDefaults(),
  },
];

/** The schema of the field at a dotted path. */
export function schemaAt(schema: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => {
    const shape = shapeOf(part);
    return shape.kind === 'mapping' ? shape.fields[key] : undefined;
  }, schema);
}

/** What the field at a dotted path means. */
export function meaningAt(schema: unknown, path: string): string {
  const found = schemaAt(schema, path);
  return (typeof found === 'object' && found !== null && meaningOf(found)) || '';
}

/** What is at a dotted path, if anything is. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (isMapping(part) ? part[key] : undefined), value);
}
