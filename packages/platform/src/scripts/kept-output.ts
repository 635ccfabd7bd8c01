/** Output on its way in, of which at most a certain size is kept. */
export interface KeptOutput {
  add(bytes: Buffer): void;
  /** What is kept, and before it, if so, that there was more. */
  text(): string;
}

/** Keeps the last of it: that is where a failure is told. */
export function keptOutput(maxBytes: number): KeptOutput {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let droppedBytes = 0;
  const shrink = (): void => {
    const whole = Buffer.concat(kept);
    const tail = whole.subarray(Math.max(0, whole.length - maxBytes));
    droppedBytes += whole.length - tail.length;
    kept = [tail];
    keptBytes = tail.length;
  };
  return {
    add(bytes) {
      kept.push(bytes);
      keptBytes += bytes.length;
      // Not at every byte too many, or much output in small pieces would be copied again and again.
      if (keptBytes > 2 * maxBytes) shrink();
    },
    text() {
      shrink();
      const text = Buffer.concat(kept).toString('utf8');
      return droppedBytes === 0 ? text : `(${droppedBytes} bytes before this were left out)\n${text}`;
    },
  };
}
