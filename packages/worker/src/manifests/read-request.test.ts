import { expect, test } from 'vitest';
import { requestWith } from './testing/requests.ts';

test('what is left out is what kubeadm and Flannel take', () => {
  expect(requestWith({})).toMatchObject({
    network: 'flannel-overlay',
    hnsNetwork: 'flannel.4096',
    serviceSubnet: '10.96.0.0/12',
    podSubnet: '10.244.0.0/16',
  });
});

test.each([
  ['1.33', 'v1.33.0'],
  ['v1.33', 'v1.33.0'],
  ['v1.33.4', 'v1.33.4'],
  ['v1.34.0-rc.1', 'v1.34.0-rc.1'],
  ['v1.33.4+k3s1', 'v1.33.4+k3s1'],
])('the version "%s" is read as "%s"', (version, text) => {
  expect(requestWith({ version }).version).toBe(text);
});

test.each([
  [{ version: 'new' }, 'Cannot read "new" as a version of Kubernetes'],
  [{ network: 'weave' }, 'Cannot make the network "weave"'],
  [{ images: ['calico=x'] }, 'Cannot use "--image calico=x": it does not start with "kube-proxy=" or "flannel="'],
  [{ images: ['=x'] }, 'Cannot use "--image =x": it does not start with "kube-proxy=" or "flannel="'],
  [{ images: ['flannel=Upper case'] }, 'Cannot use "--image flannel=Upper case": it names no image'],
  [
    { images: ['flannel=x'], network: 'none' },
    'Cannot use "--image flannel=x" with "--network none": Flannel is not installed',
  ],
  [{ serviceSubnet: '10.96.0.0' }, 'Cannot use "--service-subnet 10.96.0.0": it is not an IPv4 subnet'],
  [{ serviceSubnet: '10.96.0.0/12/3' }, 'Cannot use "--service-subnet 10.96.0.0/12/3": it is not an IPv4 subnet'],
  [{ podSubnet: '10.244.1.1/16' }, 'Cannot use "--pod-subnet 10.244.1.1/16": its first address is "10.244.0.0"'],
  [{ podSubnet: 'fd00::/48' }, 'Cannot use "--pod-subnet fd00::/48": networks of Windows nodes are IPv4 here'],
  [{ podSubnet: '10.97.0.0/16' }, 'Cannot use the pod subnet "10.97.0.0/16" with the service subnet "10.96.0.0/12"'],
  [{ apiServer: undefined }, 'Missing the API server endpoint for Windows nodes'],
  [{ apiServer: 'master' }, 'Cannot use "master" as the address of the API server'],
  [{ apiServer: 'https://master:6443' }, 'Cannot use "https://master:6443" as the address of the API server'],
  [{ apiServer: 'me@master:6443' }, 'Cannot use "me@master:6443" as the address of the API server'],
  [{ hnsNetwork: 'x' }, 'Cannot use "--hns-network" with "--network flannel-overlay": Flannel names its own'],
  [{ hnsNetwork: "a'b", network: 'none' }, 'Cannot use "a\'b" as the name of an HNS network'],
])('%j is refused with one message', (given, message) => {
  expect(() => requestWith(given)).toThrow(expect.objectContaining({ code: 'USAGE', message }));
});

test.each(['10.0.0.5:6443', 'api.example:443', '[fd00::1]:6443'])(
  '"%s" is an address of an API server',
  (apiServer) => {
    expect(requestWith({ apiServer }).apiServer).toBe(apiServer);
  },
);

test('a cluster without HostProcess pods is refused unless the historic way is asked for', () => {
  expect(() => requestWith({ version: '1.22' })).toThrow(expect.objectContaining({ code: 'NOT_SUPPORTED' }));
  expect(requestWith({ version: '1.22', wins: true }).images['kube-proxy']).toBe(
    'sigwindowstools/kube-proxy:v1.22.0-nanoserver',
  );
  expect(() => requestWith({ version: '1.19', wins: true })).toThrow(
    expect.objectContaining({ code: 'NOT_SUPPORTED' }),
  );
});
