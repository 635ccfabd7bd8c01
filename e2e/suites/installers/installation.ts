import type { CommandResult } from '../../support/beds/command.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';
import type { TestInstallers, TestVersion } from './test-installers.ts';

/** The properties of an installer, by name. */
export type Properties = Readonly<Record<string, string>>;

/** One way to install Fenestra, as an administrator who sits nowhere near the machine does it. */
export interface Installation {
  /** The program that is there afterwards. */
  readonly program: string;
  /** What it puts in place that is signed by anyone who signs the installer. */
  readonly signedFiles: readonly string[];
  /** Whether it ends with the exit code of the program. */
  readonly tellsExitCode: boolean;
  /** Whether no one can install an older version over a newer one. */
  readonly refusesOlder: boolean;
  /** Whether the earlier program is back after an upgrade that has failed. */
  readonly bringsBackEarlier: boolean;
  install(version: TestVersion, properties: Properties): Promise<CommandResult>;
  /** All that it has said of this installation, on the screen and in files. */
  saidOf(result: CommandResult): Promise<string>;
  /** Returns when it is over. */
  uninstall(version: TestVersion, properties: Properties): Promise<CommandResult>;
}

/** Makes a way to install on a machine. */
export type InstallationChoice = (machine: KeadmMachine, installers: TestInstallers) => Installation;
