/** Where "keadm kube prepare" places kube-proxy on a Windows node. */
export const NODE_KUBE_PROXY = String.raw`C:\k\kube-proxy.exe`;

/** Where network plugins are configured, live and keep the addresses they have given, on a Windows node. */
export const CNI = {
  configuration: String.raw`C:\etc\cni\net.d`,
  programs: String.raw`C:\opt\cni\bin`,
  addresses: String.raw`C:\var\lib\cni\networks`,
} as const;
