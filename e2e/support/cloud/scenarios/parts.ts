import type { Cloud } from '../cloud.ts';
import type { EdgeNode } from '../edge-node.ts';

/** A cloud and its own machine for the scenario; a function because they exist only once the tests run. */
export type Parts = () => { readonly cloud: Cloud; readonly node: EdgeNode };
