/** The parts of the library that are needed, without its server and its HTTP agents, which take time to load. */
declare module 'ssh2/lib/client.js' {
  import { Client } from 'ssh2';

  export default Client;
}

declare module 'ssh2/lib/protocol/keyParser.js' {
  import { utils } from 'ssh2';

  const keyParser: Pick<typeof utils, 'parseKey'>;
  export default keyParser;
}
