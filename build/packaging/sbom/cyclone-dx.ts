import { stableUuid } from '../stable-uuid.ts';
import type { LockedPackage } from './lock-file.ts';

/** A part of some of the programs that was made by others. */
export interface SbomPart {
  readonly kind: 'library' | 'platform';
  readonly package: LockedPackage;
  /** The programs it is in, by target. */
  readonly targets: readonly string[];
}

/** What the list is about. */
export interface SbomSubject {
  readonly version: string;
  readonly commit: string;
  readonly commitTime: string;
}

/** What the programs of a release are made of, as CycloneDX 1.6 in JSON; the same parts give the same bytes. */
export function cycloneDx({ version, commit, commitTime }: SbomSubject, parts: readonly SbomPart[]): string {
  const components = parts.map(component).toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1));
  const own = `pkg:generic/fenestra@${version}`;
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${stableUuid('sbom', version, commit)}`,
    version: 1,
    metadata: {
      timestamp: commitTime,
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'fenestra',
        version,
        purl: own,
        licenses: licensesOf('Apache-2.0'),
        properties: [{ name: 'fenestra:commit', value: commit }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function component({ kind, package: { name, version, integrity, license }, targets }: SbomPart) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  return {
    type: kind,
    'bom-ref': purl,
    name,
    version,
    purl,
    hashes: [hashOf(integrity)],
    ...(license === undefined ? {} : { licenses: licensesOf(license) }),
    properties: [{ name: 'fenestra:targets', value: targets.join(' ') }],
  };
}

/** One name of a license, or several with words such as OR between them. */
function licensesOf(license: string): readonly unknown[] {
  return /[\s()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [algorithm = '', digest = ''] = integrity.split('-', 2);
  return { alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}
