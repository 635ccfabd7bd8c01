/** The parts of a schema's complaint that the message is made of. */
interface Complaint {
  readonly code?: string | undefined;
  readonly expected?: unknown;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly inclusive?: unknown;
  readonly values?: readonly unknown[] | undefined;
}

/** What is wrong with a field, in one phrase, without its value. */
export function issueMessage({ code, expected, minimum, maximum, inclusive, values }: Complaint): string {
  if (code === 'invalid_type') return `must be ${NAMES[String(expected)] ?? String(expected)}`;
  if (code === 'too_small') return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
  if (code === 'too_big') return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
  if (code === 'invalid_value' && values !== undefined) return `must be ${values.map(quoted).join(' or ')}`;
  return code === 'invalid_key' ? 'has a name that is not allowed' : 'is not valid';
}

const NAMES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
