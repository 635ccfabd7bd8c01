import { arrayAt, objectAt, stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, column, NAME, orNone } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { numberAt, objectsAt, withDefaults, withEach } from './json.ts';
import { requiredField } from './problems.ts';

const SHOWN = 3;

/** The addresses behind a service, as data. */
export const endpointsKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  listKind: 'EndpointsList',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  columns: [NAME, column('Endpoints', 'Addresses and ports', shownEndpoints), AGE],
  defaults: (endpoints) => ({
    ...endpoints,
    ...withEach(objectAt(endpoints), 'subsets', (subset) =>
      withEach(subset, 'ports', (port) => withDefaults(port, { protocol: 'TCP' })),
    ),
    apiVersion: endpoints.apiVersion,
    kind: endpoints.kind,
    metadata: endpoints.metadata,
  }),
  validate: addressProblems,
  warnings: () => ['the embedded API only stores Endpoints: no traffic is forwarded to them'],
});

function shownEndpoints(endpoints: KubeObject): string {
  const all = objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const addresses = objectsAt(subset, 'addresses').map((address) => stringAt(address, 'ip'));
    const ports = objectsAt(subset, 'ports').map((port) => numberAt(port, 'port'));
    return ports.length === 0 ? addresses : addresses.flatMap((ip) => ports.map((port) => `${ip}:${port}`));
  });
  const more = all.length > SHOWN ? ` + ${all.length - SHOWN} more...` : '';
  return orNone(all.slice(0, SHOWN).join(',') + more);
}

function addressProblems(endpoints: KubeObject): readonly FieldProblem[] {
  return arrayAt(endpoints, 'subsets').flatMap((subset, index) =>
    arrayAt(subset, 'addresses').flatMap((address, position) =>
      stringAt(address, 'ip') === '' ? [requiredField(`subsets[${index}].addresses[${position}].ip`)] : [],
    ),
  );
}
