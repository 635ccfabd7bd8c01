export { posixAccessControl } from './access/posix-access-control.ts';
export { posixFileStore } from './files/posix-file-store.ts';
export { linuxHost } from './host/linux-host.ts';
export { posixScripts } from './scripts/posix-scripts.ts';
export { posixServiceHost } from './service-host/posix-service-host.ts';
export { systemdServices, type SystemdOptions } from './systemd/systemd-services.ts';
export { superviseService } from './supervisor/supervise-service.ts';
export { supervisedServices, type SupervisorOptions } from './supervisor/supervised-services.ts';
