/** A private key file as ssh-keygen writes it, as far as it is readable without its passphrase. */
export function privateKeyFile(type: string): string {
  const fields = ['none', 'none', ''].map((text) => field(Buffer.from(text)));
  const body = [
    Buffer.from('openssh-key-v1\0'),
    ...fields,
    number(1),
    field(publicKeyBlob(type)),
    field(Buffer.alloc(64)),
  ];
  const text = Buffer.concat(body).toString('base64').replaceAll(/.{70}/g, '$&\n');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

/** A public key of a type, with nothing in it that fits. */
export function publicKeyBlob(type: string): Buffer {
  return Buffer.concat([field(Buffer.from(type)), field(Buffer.alloc(32, 7))]);
}

function field(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
