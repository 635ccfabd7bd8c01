const FNV_OFFSET = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

/**
 * The hash with which a kubelet marks a container, to see later whether its definition changed. Only name and image
 * count. Kubelets format the JSON of both with Go's verb `%#v`, and take the FNV-1a hash of that text.
 */
export function containerHash({ name, image }: { readonly name: string; readonly image: string }): string {
  const bytes = new TextEncoder().encode(goJson({ image, name }));
  return fnv1a(`([]uint8)[${bytes.join(' ')}]`).toString(16);
}

/** JSON as Go writes it: with the characters that mean something in HTML escaped. */
export function goJson(value: object): string {
  const escaped = /[<>&\u2028\u2029]/g;
  return JSON.stringify(value).replace(escaped, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function fnv1a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  }
  return hash;
}
