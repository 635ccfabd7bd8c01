/** What a command found or did: data for programs, text for people, and the code for the caller. */
export interface CommandResult {
  readonly data: object;
  readonly text: string;
  readonly exitCode: number;
  /** Set by a command that has already told programs all of it, while it happened. */
  readonly streamed?: boolean;
}

/** A result that means success. */
export function success(data: object, text: string): CommandResult {
  return { data, text, exitCode: 0 };
}
