import type { ImageSystem } from './config/schema.ts';

/** What a version of Windows Server is called by each platform. */
export interface SystemNames {
  /** For people. */
  readonly title: string;
  readonly azureSku: string;
  readonly awsFilter: string;
  readonly vsphereGuest: string;
  /** The edition's name in the installation medium. */
  readonly mediumName: string;
}

/** Server Core everywhere: a node needs no desktop. */
export const SYSTEMS: Readonly<Record<ImageSystem, SystemNames>> = {
  '2019': {
    title: 'Windows Server 2019',
    azureSku: '2019-datacenter-core-g2',
    awsFilter: 'Windows_Server-2019-English-Core-Base-*',
    vsphereGuest: 'windows2019srv_64Guest',
    mediumName: 'Windows Server 2019 SERVERSTANDARDCORE',
  },
  '2022': {
    title: 'Windows Server 2022',
    azureSku: '2022-datacenter-core-g2',
    awsFilter: 'Windows_Server-2022-English-Core-Base-*',
    vsphereGuest: 'windows2019srvNext_64Guest',
    mediumName: 'Windows Server 2022 SERVERSTANDARDCORE',
  },
  '2025': {
    title: 'Windows Server 2025',
    azureSku: '2025-datacenter-core-g2',
    awsFilter: 'Windows_Server-2025-English-Core-Base-*',
    vsphereGuest: 'windows2022srvNext_64Guest',
    mediumName: 'Windows Server 2025 SERVERSTANDARDCORE',
  },
};
