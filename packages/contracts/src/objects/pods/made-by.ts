/** The annotation of a sandbox that names the node whose agent made it. */
const NODE_ANNOTATION = 'fenestra.dev/node';

/** What the agent of a node adds to the annotations of the sandboxes that it makes. */
export function madeByNode(nodeName: string): Readonly<Record<string, string>> {
  return { [NODE_ANNOTATION]: nodeName };
}

/** The node whose agent made a sandbox; undefined for what another agent or a kubelet made. */
export function nodeOfSandbox(annotations: Readonly<Record<string, string>>): string | undefined {
  return annotations[NODE_ANNOTATION];
}
