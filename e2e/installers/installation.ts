import type { CommandResult } from '../beds/command.ts';
import type { KeadmMachine } from '../machines/keadm-machine.ts';
import type { TestInstallers, TestVersion } from './test-installers.ts';

/** What an installer is told, by its property's name. */
export type Properties = Readonly<Record<string, string>>;

/** One way to install Fenestra, as an administrator who sits nowhere near the machine does it. */
export interface Installation {
  /** The program that is there afterwards. */
  readonly program: string;
  /** How the token can be given without anybody seeing it. */
  readonly tokenBy: 'file' | 'property';
  install(version: TestVersion, properties: Properties): Promise<CommandResult>;
  /** Returns when it is over. */
  uninstall(version: TestVersion, properties: Properties): Promise<CommandResult>;
}

/** Makes a way to install on a machine. */
export type InstallationChoice = (machine: KeadmMachine, installers: TestInstallers) => Installation;
