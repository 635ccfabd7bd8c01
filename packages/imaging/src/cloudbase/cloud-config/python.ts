import type { Tags } from 'yaml';

/** Whether Python takes a value for true. */
export function isTruthy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  if (value instanceof Date) return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** A value as Python prints it; `source` distinguishes 1.0 from 1, and a date from a timestamp. */
export function pythonText(value: unknown, source?: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number')
    return Number.isInteger(value) && /\./.test(source ?? '') ? `${value}.0` : String(value);
  if (value instanceof Date) return source ?? value.toISOString();
  return typeof value === 'string' ? value : pythonLiteral(value);
}

function pythonLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, each]) => `${pythonLiteral(key)}: ${pythonLiteral(each)}`);
  return `{${pairs.join(', ')}}`;
}

/** Whether there is such a day. */
export function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  // `Date.UTC` takes the years before 100 for others.
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const BOOL = 'tag:yaml.org,2002:bool';
const FLOAT = 'tag:yaml.org,2002:float';
const INT = 'tag:yaml.org,2002:int';
const TIMESTAMP = 'tag:yaml.org,2002:timestamp';

/** The types of plain values in PyYAML, where they are narrower than in YAML 1.1: `y`, `1e3`, `08` and `.` are strings. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  [`${BOOL} true`]: /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
  [`${BOOL} false`]: /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
  [FLOAT]: /^(?:[-+]?\d[\d_]*\.[\d_]*|\.\d[\d_]*)$/,
  [`${FLOAT} EXP`]: /^(?:[-+]?\d[\d_]*\.[\d_]*|\.\d[\d_]*)[eE][-+]\d+$/,
  [INT]: /^[-+]?(?:0|[1-9][\d_]*)$/,
  [`${INT} TIME`]: /^[-+]?[1-9][\d_]*(?::[0-5]?\d)+$/,
  [TIMESTAMP]:
    /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[\t ]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[\t ]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/,
};

/** The tags of YAML 1.1 with the patterns of PyYAML. */
export function pythonTags(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.test === undefined) return tag;
    const form = tag.tag === BOOL ? ` ${String(tag.identify?.(true) === true)}` : suffix(tag.format);
    // Infinities and "not a number" have no form of their own, and are alike in both.
    const pattern = tag.test.test('.inf') ? undefined : PATTERNS[`${tag.tag}${form}`];
    return pattern === undefined ? tag : { ...tag, test: pattern };
  });
}

function suffix(format: string | undefined): string {
  return format === undefined ? '' : ` ${format}`;
}
