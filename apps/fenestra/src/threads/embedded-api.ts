import { parentPort, workerData } from 'node:worker_threads';
import { serveApi } from '@fenestra/cloudcore/embedded-api';

/** The thread in which cloudcore runs the embedded Kubernetes API. */
if (parentPort !== null) void serveApi(parentPort, workerData);
