import type { ImagePlatform, ImageRole, ImageSystem } from './config.ts';
import { OperatorError } from '@fenestra/kernel';
import type { ProjectVariable } from './variables.ts';

/** How Packer connects to the machine. */
export const COMMUNICATORS = ['winrm', 'ssh'] as const;
export type Communicator = (typeof COMMUNICATORS)[number];

/** What a project builds. */
export interface ImageWishes {
  readonly system: ImageSystem;
  readonly platform: ImagePlatform;
  readonly role: ImageRole;
  readonly communicator: Communicator;
}

/** Throws `USAGE` for a combination that the platform does not support. */
export function requirePossible({ platform, communicator }: ImageWishes): void {
  if (platform !== 'azure' || communicator !== 'ssh') return;
  throw new OperatorError('USAGE', 'Cannot use "ssh" for Azure: its machines start with WinRM only', {
    hint: 'Remove "--communicator".',
  });
}

/** The folder of keadm and its configuration in the machine, until the image is made. */
export const BUILD_FOLDER = 'C:\\Windows\\Temp\\fenestra';

interface SystemNames {
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

/** A file of a project. */
export interface ProjectFile {
  /** Relative to the project's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The parts of a project that depend on the platform. */
export interface PlatformParts {
  readonly plugin: { readonly name: string; readonly source: string; readonly version: string };
  /** The type of source; its name is always `image`. */
  readonly sourceType: string;
  readonly variables: readonly ProjectVariable[];
  /** The body of the source block. */
  readonly source: string;
  readonly files: readonly ProjectFile[];
  /** Whether Sysprep runs as a provisioner, or when Packer shuts the machine down. */
  readonly seals: 'as-step' | 'at-shutdown';
}
