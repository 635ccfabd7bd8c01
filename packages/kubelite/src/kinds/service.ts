import {
  listAt,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  withDefaults,
  withEach,
} from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, column, NAME, NONE, orNone, wideColumn } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { invalidField, requiredField, unsupportedField } from './problems.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Services, as data: no addresses are given out and nothing is forwarded. */
export const serviceKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  columns: [
    NAME,
    column('Type', 'How the service is exposed', (service) => stringAt(service, 'spec', 'type')),
    column('Cluster-IP', 'Address inside the cluster', (service) => orNone(stringAt(service, 'spec', 'clusterIP'))),
    column('External-IP', 'Addresses outside the cluster', externalAddresses),
    column('Port(s)', 'Ports', ports),
    AGE,
    wideColumn('Selector', 'Labels of the pods behind the service', selector),
  ],
  selectableFields: ['spec.type', 'spec.clusterIP'],
  defaults: (service) => ({ ...service, spec: specDefaults(objectAt(service, 'spec')) }),
  prepareForCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
  validate: (service) => [...typeProblems(service), ...portProblems(service)],
  warnings: () => ['the embedded API only stores Services: no address is assigned and no traffic is forwarded'],
});

function specDefaults(spec: JsonObject): JsonObject {
  const filled = withDefaults(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
  return withEach(filled, 'ports', (port) => {
    const named = withDefaults(port, { protocol: 'TCP' });
    return port['port'] === undefined ? named : withDefaults(named, { targetPort: port['port'] });
  });
}

function typeProblems(service: KubeObject): readonly FieldProblem[] {
  const type = stringAt(service, 'spec', 'type');
  if (!TYPES.includes(type)) return [unsupportedField('spec.type', type, TYPES)];
  const external = type === 'ExternalName' && stringAt(service, 'spec', 'externalName') === '';
  return external ? [requiredField('spec.externalName')] : [];
}

function portProblems(service: KubeObject): readonly FieldProblem[] {
  const list = listAt(service, 'spec', 'ports');
  const optional =
    stringAt(service, 'spec', 'type') === 'ExternalName' || stringAt(service, 'spec', 'clusterIP') === 'None';
  if (list.length === 0) return optional ? [] : [requiredField('spec.ports')];
  return list.flatMap((port, index) => onePortProblems(port, `spec.ports[${index}]`, list.length > 1));
}

function onePortProblems(port: JsonObject[string], field: string, several: boolean): readonly FieldProblem[] {
  const number = numberAt(port, 'port');
  const protocol = stringAt(port, 'protocol');
  return [
    ...(several && stringAt(port, 'name') === '' ? [requiredField(`${field}.name`)] : []),
    ...(number >= 1 && number <= 65_535
      ? []
      : [invalidField(`${field}.port`, number, 'must be between 1 and 65535, inclusive')]),
    ...(PROTOCOLS.includes(protocol) ? [] : [unsupportedField(`${field}.protocol`, protocol, PROTOCOLS)]),
  ];
}

function externalAddresses(service: KubeObject): string {
  if (stringAt(service, 'spec', 'type') === 'ExternalName') return stringAt(service, 'spec', 'externalName');
  const ingress = objectsAt(service, 'status', 'loadBalancer', 'ingress');
  const given = ingress.map((point) => stringAt(point, 'ip') || stringAt(point, 'hostname'));
  const all = [...given, ...stringsAt(service, 'spec', 'externalIPs')];
  const pending = stringAt(service, 'spec', 'type') === 'LoadBalancer' ? '<pending>' : NONE;
  return all.length === 0 ? pending : all.join(',');
}

function ports(service: KubeObject): string {
  const shown = objectsAt(service, 'spec', 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort');
    return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${stringAt(port, 'protocol')}`;
  });
  return orNone(shown.join(','));
}

function selector(service: KubeObject): string {
  const labels = objectAt(service, 'spec', 'selector');
  const pairs = Object.keys(labels).map((key) => `${key}=${stringAt(labels, key)}`);
  return orNone(pairs.join(','));
}

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
    const numbers = objectsAt(subset, 'ports').map((port) => numberAt(port, 'port'));
    return numbers.length === 0 ? addresses : addresses.flatMap((ip) => numbers.map((port) => `${ip}:${port}`));
  });
  const more = all.length > SHOWN ? ` + ${all.length - SHOWN} more...` : '';
  return orNone(all.slice(0, SHOWN).join(',') + more);
}

function addressProblems(endpoints: KubeObject): readonly FieldProblem[] {
  return listAt(endpoints, 'subsets').flatMap((subset, index) =>
    listAt(subset, 'addresses').flatMap((address, position) =>
      stringAt(address, 'ip') === '' ? [requiredField(`subsets[${index}].addresses[${position}].ip`)] : [],
    ),
  );
}
