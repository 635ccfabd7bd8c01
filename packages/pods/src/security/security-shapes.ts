/** A seccomp or AppArmor profile: the runtime's own, none, or one of the machine. */
export interface SecurityProfile {
  readonly profileType: 0 | 1 | 2;
  readonly localhostRef: string;
}

/** Which namespaces a container shares: those of its pod 0, none 1, those of the node 2, those of a target 3. */
export interface NamespaceOption {
  readonly network: 0 | 2;
  readonly pid: 0 | 1 | 2 | 3;
  readonly ipc: 0 | 2;
  readonly targetId: string;
}

/** SELinux options of a process. */
export interface SelinuxOption {
  readonly user: string;
  readonly role: string;
  readonly type: string;
  readonly level: string;
}

/** The security settings of a container on Linux, in the form of the runtime interface. */
export interface LinuxContainerSecurity {
  readonly capabilities?: { readonly addCapabilities: string[]; readonly dropCapabilities: string[] };
  readonly privileged: boolean;
  readonly namespaceOptions: NamespaceOption;
  readonly selinuxOptions?: SelinuxOption;
  readonly runAsUser?: { readonly value: bigint };
  readonly runAsUsername?: string;
  readonly runAsGroup?: { readonly value: bigint };
  readonly readonlyRootfs: boolean;
  readonly supplementalGroups: bigint[];
  readonly supplementalGroupsPolicy: 0 | 1;
  readonly noNewPrivs: boolean;
  readonly maskedPaths: string[];
  readonly readonlyPaths: string[];
  readonly seccomp: SecurityProfile;
  readonly apparmor?: SecurityProfile;
}

/** The security settings of a sandbox on Linux, in the form of the runtime interface. */
export interface LinuxSandboxSecurity {
  readonly namespaceOptions: NamespaceOption;
  readonly selinuxOptions?: SelinuxOption;
  readonly runAsUser?: { readonly value: bigint };
  readonly runAsGroup?: { readonly value: bigint };
  readonly supplementalGroups: bigint[];
  readonly supplementalGroupsPolicy: 0 | 1;
  readonly privileged: boolean;
  readonly seccomp: SecurityProfile;
}

/** The security settings of a container or sandbox on Windows, in the form of the runtime interface. */
export interface WindowsSecurity {
  readonly runAsUsername: string;
  readonly credentialSpec: string;
  readonly hostProcess: boolean;
}
