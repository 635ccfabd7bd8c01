import { sandboxAnnotations, sandboxLabels } from '../identity/labels.ts';
import type { DnsConfig } from '../network/dns.ts';
import { sandboxHostname } from '../network/hostname.ts';
import { portMappings, type PortMapping } from '../network/ports.ts';
import type { Pod } from '../pod/pod.ts';
import { sandboxSecurity } from '../security/container-security.ts';
import type { LinuxSandboxSecurity, WindowsSecurity } from '../security/security-shapes.ts';
import { podSysctls } from '../security/sysctls.ts';
import { windowsSecurity } from '../security/windows-security.ts';

/** What the configuration of a sandbox depends on besides the pod. */
export interface SandboxFacts {
  readonly os: 'linux' | 'windows';
  readonly attempt: number;
  /** The folder of the pod's logs, absolute. */
  readonly logDirectory: string;
  readonly clusterDomain: string;
  readonly dns: DnsConfig;
  /** The parent of the containers' cgroups; empty if the agent makes none. */
  readonly cgroupParent: string;
}

/** The configuration of a sandbox, in the form of the runtime interface. */
export interface SandboxConfig {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly namespace: string;
    readonly attempt: number;
  };
  readonly hostname: string;
  readonly logDirectory: string;
  readonly dnsConfig: DnsConfig;
  readonly portMappings: PortMapping[];
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly linux: {
    readonly cgroupParent: string;
    readonly securityContext: LinuxSandboxSecurity;
    readonly sysctls: Record<string, string>;
  };
  readonly windows?: {
    readonly securityContext: WindowsSecurity & { readonly namespaceOptions: { readonly network: 0 | 2 } };
  };
}

/** The configuration of a pod's sandbox. The same one goes with every container in it. */
export function sandboxConfig(pod: Pod, facts: SandboxFacts): SandboxConfig {
  const { name, uid, namespace } = pod.metadata;
  return {
    metadata: { name, uid, namespace, attempt: facts.attempt },
    hostname: sandboxHostname(pod, facts.clusterDomain),
    logDirectory: facts.logDirectory,
    dnsConfig: facts.dns,
    portMappings: portMappings(pod),
    labels: { ...sandboxLabels(pod) },
    annotations: { ...sandboxAnnotations(pod) },
    // The namespaces are read from here on Windows as well.
    linux: {
      cgroupParent: facts.cgroupParent,
      securityContext: sandboxSecurity(pod),
      sysctls: facts.os === 'linux' ? podSysctls(pod) : {},
    },
    ...(facts.os === 'windows' && { windows: windowsPart(pod) }),
  };
}

function windowsPart(pod: Pod): NonNullable<SandboxConfig['windows']> {
  const { containers } = pod.spec;
  const hostProcess = containers.some(({ securityContext }) => windowsSecurity(pod, securityContext).hostProcess);
  const network = pod.spec.hostNetwork === true ? 2 : 0;
  return { securityContext: { ...windowsSecurity(pod, undefined), hostProcess, namespaceOptions: { network } } };
}
