import { notAcceptable } from '../objects/status-error.ts';

/** How a client wants its answer. */
export interface Negotiated {
  readonly format: 'json' | 'yaml';
  /** As it is stored, as a table for a terminal, or the metadata alone. */
  readonly shape: 'metadata' | 'object' | 'table';
}

const OFFERED = ['application/json', 'application/yaml'];
const JSON_TYPES = new Set(['application/json', 'application/*', '*/*']);
const PARTIAL = /^PartialObjectMetadata(?:List)?$/;

/** Takes the first kind of answer that the client likes and we can give. Protobuf we cannot: its clients name JSON after it. */
export function negotiate(accept: string | undefined): Negotiated {
  if (accept === undefined || accept.trim() === '') return { format: 'json', shape: 'object' };
  for (const range of byPreference(accept)) {
    const wanted = understand(range);
    if (wanted) return wanted;
  }
  throw notAcceptable(OFFERED);
}

interface Range {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

function byPreference(accept: string): readonly Range[] {
  const ranges = accept.split(',').map(parseRange);
  return ranges.toSorted((left, right) => quality(right) - quality(left)).filter((range) => quality(range) > 0);
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const pairs = parameters.map((part): [string, string] => {
    const [key = '', value = ''] = part.split('=');
    return [key.toLowerCase(), value];
  });
  return { type: type.toLowerCase(), parameters: new Map(pairs) };
}

function quality({ parameters }: Range): number {
  const value = Number(parameters.get('q') ?? 1);
  return Number.isNaN(value) ? 0 : value;
}

function understand({ type, parameters }: Range): Negotiated | undefined {
  const format = JSON_TYPES.has(type) ? 'json' : type === 'application/yaml' ? 'yaml' : undefined;
  if (!format) return;
  const as = parameters.get('as');
  if (as === undefined) return { format, shape: 'object' };
  if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') return;
  if (as === 'Table') return { format, shape: 'table' };
  return PARTIAL.test(as) ? { format, shape: 'metadata' } : undefined;
}
