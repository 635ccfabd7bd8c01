export { kubeletProgram, type KubeletHost } from './kubelet-program.ts';
export { KUBELET_SERVICE, kubeletService, type KubeletServiceOptions } from './kubelet-service.ts';
