import { EDGE_KINDS, type EdgeKind } from '@fenestra/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRealObjects, type RealObjects } from '../kinds/testing/real-objects.ts';
import { SYSTEM_USER } from '../objects/object-service.ts';
import type { Decision, ResourceAccess, User } from '../objects/gatekeeper.ts';
import { parseFieldSelector, requiredValue } from '@fenestra/contracts/objects';
import { authorize, authorizePath } from './authorizer.ts';

const NODE: User = { name: 'system:node:edge-1', groups: ['system:nodes', 'system:authenticated'] };
const BOOTSTRAP: User = { name: 'system:bootstrap:abc123', groups: ['system:bootstrappers', 'system:authenticated'] };
const CLOUDCORE: User = { name: 'cloudcore', groups: ['system:cloudcore', 'system:authenticated'] };
const NOBODY: User = { name: 'nobody', groups: ['system:authenticated'] };

let real: RealObjects;

beforeAll(async () => {
  real = await openRealObjects();
  const volumes = [
    { name: 'a', secret: { secretName: 'mounted' } },
    { name: 'b', projected: { sources: [{ configMap: { name: 'projected' } }] } },
  ];
  const env = [{ name: 'X', valueFrom: { secretKeyRef: { name: 'in-env', key: 'k' } } }];
  const containers = [{ name: 'main', image: 'web:1', env, envFrom: [{ configMapRef: { name: 'whole' } }] }];
  await real.create(real.kinds.pod, 'mine', {
    spec: {
      nodeName: 'edge-1',
      volumes,
      containers,
      serviceAccountName: 'robot',
      imagePullSecrets: [{ name: 'pull' }],
    },
  });
  const mirror = {
    spec: { nodeName: 'edge-1', containers, volumes: [{ name: 'a', secret: { secretName: 'stolen' } }] },
  };
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  const draft = {
    ...mirror,
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'mirror', namespace: 'default', annotations },
  };
  await real.objects.create(real.kinds.pod, draft, { user: SYSTEM_USER });
  await real.create(real.kinds.pod, 'theirs', { spec: { nodeName: 'edge-2', containers } });
});
afterAll(async () => real.close());

/** `get secrets/mounted`, `list pods?spec.nodeName=edge-1`, `update nodes/edge-1/status`. */
function ask(user: User, request: string, group = '', namespace = 'default'): Decision {
  const [verb = '', rest = ''] = request.split(' ');
  const [path = '', fieldSelector = ''] = rest.split('?');
  const [resource = '', name = '', subresource = ''] = path.split('/');
  const fields = parseFieldSelector(fieldSelector, (reason) => new Error(reason));
  const access: ResourceAccess = {
    verb,
    group,
    version: 'v1',
    resource,
    name: name || requiredValue(fields, 'metadata.name'),
    subresource,
    namespace,
    fields,
  };
  return authorize(user, access, real.objects);
}

describe('a node', () => {
  test.each([
    'get nodes/edge-1',
    'update nodes/edge-1/status',
    'watch nodes?metadata.name=edge-1',
    'list pods?spec.nodeName=edge-1',
    'get pods/mine',
    'patch pods/mine/status',
    'delete pods/mine',
    'create pods/mine/eviction',
    'get secrets/mounted',
    'get secrets/in-env',
    'get secrets/pull',
    'watch secrets?metadata.name=mounted',
    'get configmaps/projected',
    'get configmaps/whole',
    'get serviceaccounts/robot',
    'create serviceaccounts/robot/token',
    'create events',
    'list services',
  ])('may %s', (request) => {
    expect(ask(NODE, request)).toBe(true);
  });

  test.each([
    'get nodes/edge-2',
    'list nodes',
    'delete nodes/edge-1',
    'patch nodes/edge-2/status',
    'list pods',
    'list pods?spec.nodeName=edge-2',
    'list pods?spec.nodeName!=edge-1',
    'get pods/theirs',
    'update pods/mine',
    'get secrets/other',
    'get secrets/stolen',
    'get serviceaccounts/default',
    String.raw`list pods?metadata.name=x\\\\,spec.nodeName=edge-2,status.phase=edge-1`,
    String.raw`list pods?metadata.name=x\,spec.nodeName\=edge-1`,
    'list secrets',
    'update secrets/mounted',
    'list configmaps',
    'create serviceaccounts/default/token',
    'get namespaces/default',
    'create configmaps',
    'deletecollection pods',
  ])('may not %s', (request) => {
    expect(ask(NODE, request)).not.toBe(true);
  });

  test('may keep its own lease in its own place', () => {
    const group = 'coordination.k8s.io';
    expect(ask(NODE, 'update leases/edge-1', group, 'kube-node-lease')).toBe(true);
    expect(ask(NODE, 'update leases/edge-2', group, 'kube-node-lease')).not.toBe(true);
    expect(ask(NODE, 'update leases/edge-1', group, 'default')).not.toBe(true);
  });

  test('is one only with the right name and the right group', () => {
    expect(ask({ ...NODE, groups: ['system:authenticated'] }, 'get nodes/edge-1')).not.toBe(true);
    expect(ask({ ...NODE, name: 'system:node:' }, 'get nodes/')).not.toBe(true);
  });
});

test('a bootstrapping machine may create a certificate request and nothing of others', () => {
  const group = 'certificates.k8s.io';
  expect(ask(BOOTSTRAP, 'create certificatesigningrequests', group, '')).toBe(true);
  for (const request of [
    'get certificatesigningrequests/x',
    'list certificatesigningrequests',
    'update certificatesigningrequests/x/approval',
  ]) {
    expect(ask(BOOTSTRAP, request, group, '')).not.toBe(true);
  }
  expect(ask(BOOTSTRAP, 'create nodes')).not.toBe(true);
});

test('cloudcore may use every kind whose CRD it installs', () => {
  for (const { plural, group, schema } of Object.values<EdgeKind>(EDGE_KINDS)) {
    if (schema !== undefined) expect(ask(CLOUDCORE, `update ${plural}/a`, group)).toBe(true);
  }
});

test('cloudcore may work for its nodes, and not approve, delete namespaces or make itself more', () => {
  for (const request of ['list secrets', 'update nodes/a/status', 'delete pods/a', 'create serviceaccounts/a/token']) {
    expect(ask(CLOUDCORE, request)).toBe(true);
  }
  expect(ask(CLOUDCORE, 'patch objectsyncs/a', 'reliablesyncs.kubeedge.io')).toBe(true);
  expect(ask(CLOUDCORE, 'update certificatesigningrequests/a/approval', 'certificates.k8s.io', '')).not.toBe(true);
  expect(ask(CLOUDCORE, 'delete namespaces/a', '', '')).not.toBe(true);
});

test('someone without a group may look at what there is, ask about itself, and no more', () => {
  expect(authorizePath(NOBODY, { verb: 'get', path: '/apis/certificates.k8s.io/v1' })).toBe(true);
  expect(authorizePath(NOBODY, { verb: 'post', path: '/apis' })).not.toBe(true);
  expect(authorizePath(NOBODY, { verb: 'get', path: '/debug' })).not.toBe(true);
  expect(ask(NOBODY, 'create selfsubjectaccessreviews', 'authorization.k8s.io', '')).toBe(true);
  expect(ask(NOBODY, 'list pods')).not.toBe(true);
});
