import { minimalCloudcoreYaml } from '@fenestra/contracts';
import { parseDocument } from 'yaml';

/** What an operator may want of a cloud. */
export interface CloudWishes {
  /** Where nodes reach it. */
  readonly advertiseAddresses: readonly string[];
  readonly hubPort: number;
  readonly httpsPort: number;
  /** `host:port` of health and metrics. */
  readonly monitorAddress: string;
  /** `host:port` of the Kubernetes API inside it; without one it uses a cluster. */
  readonly embeddedAddress: string | undefined;
  /** The cluster's kubeconfig. */
  readonly kubeconfig: string | undefined;
}

/** A configuration file that says only what most clouds need to say. */
export function cloudcoreYaml(wishes: CloudWishes): string {
  const document = parseDocument(minimalCloudcoreYaml({ addresses: wishes.advertiseAddresses }));
  document.setIn(['modules', 'cloudHub', 'websocket', 'port'], wishes.hubPort);
  document.setIn(['modules', 'cloudHub', 'https', 'port'], wishes.httpsPort);
  document.setIn(['commonConfig', 'monitorServer', 'bindAddress'], wishes.monitorAddress);
  if (wishes.kubeconfig !== undefined) document.setIn(['kubeAPIConfig', 'kubeConfig'], wishes.kubeconfig);
  return document.toString();
}
