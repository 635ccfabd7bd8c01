/** The part of koffi that the bindings use; the composition root loads the addon and passes it in. */
export type Koffi = Pick<
  typeof import('koffi'),
  'load' | 'struct' | 'pointer' | 'out' | 'inout' | 'array' | 'proto' | 'register' | 'alloc' | 'encode' | 'decode'
>;

/** An address or a handle of the system, as koffi passes it. */
export type Pointer = bigint;

/** A place for one value that a call fills in. */
export type Out<T> = [T];
