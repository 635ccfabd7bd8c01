/** A Service with an address, as the containers of its namespace see it. */
export interface ServiceAddress {
  readonly name: string;
  readonly clusterIp: string;
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
}

/** The environment variables by which containers find Services, by name. */
export function serviceVariables(services: readonly ServiceAddress[]): ReadonlyMap<string, string> {
  return new Map(services.flatMap(variablesOf));
}

function variablesOf({ name, clusterIp, ports }: ServiceAddress): [string, string][] {
  const prefix = variableName(name);
  const [first] = ports;
  if (first === undefined) return [];
  return [
    [`${prefix}_SERVICE_HOST`, clusterIp],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
    ...ports.flatMap((port): [string, string][] =>
      port.name ? [[`${prefix}_SERVICE_PORT_${variableName(port.name)}`, String(port.port)]] : [],
    ),
    [`${prefix}_PORT`, url(clusterIp, first)],
    ...ports.flatMap((port): [string, string][] => {
      const portPrefix = `${prefix}_PORT_${port.port}_${port.protocol.toUpperCase()}`;
      return [
        [portPrefix, url(clusterIp, port)],
        [`${portPrefix}_PROTO`, port.protocol.toLowerCase()],
        [`${portPrefix}_PORT`, String(port.port)],
        [`${portPrefix}_ADDR`, clusterIp],
      ];
    }),
  ];
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

function url(host: string, { port, protocol }: { readonly port: number; readonly protocol: string }): string {
  return `${protocol.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
