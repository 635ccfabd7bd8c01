/** Where a cloud-config stands. */
export interface ConfigPlace {
  readonly line: number;
  /** Whether it is a part of a MIME message, which stops where a reboot is asked for. */
  readonly inPart: boolean;
}
