import { join } from 'node:path';
import type { ExtensionContext, Extensions } from '../objects/extensions.ts';
import { accessReviewKinds, identityReviewKinds } from '../auth/reviews.ts';
import { createGatekeeper } from '../auth/gatekeeper.ts';
import { startEventMirror, startExpiry } from '../collector/expiry.ts';
import { startNamespaces } from '../collector/namespaces.ts';
import { startNodeMonitor } from '../collector/node-monitor.ts';
import { startCrdController } from '../crd/crd-controller.ts';
import { startCsrController } from '../csr/csr-controller.ts';
import { createPlainAnswers } from '../discovery/answer-plain.ts';
import { renderTable } from '../printing/columns.ts';
import { startScheduler } from '../scheduler/scheduler.ts';
import { serviceAccountTokens } from '../tokens/service-account-tokens.ts';
import { readStaticTokens } from '../tokens/static-tokens.ts';
import { builtInDefinitions } from './built-in-definitions.ts';
import { builtInKinds, type BuiltInKinds } from './built-in-kinds.ts';
import { explainMissing } from './not-served.ts';

/** Puts the built-in kinds into the registry and returns everything about the API that is not generic. */
export function createExtensions(context: ExtensionContext): Extensions {
  const definitions = builtInDefinitions();
  const accountTokens = serviceAccountTokens(context.identity.serviceAccountKey);
  const staticTokens = readStaticTokens(join(context.folder, 'tokens.json'));
  const credentials = { objects: context.objects, staticTokens, accountTokens, now: () => context.now() };
  const gatekeeper = createGatekeeper(credentials);
  const kinds = builtInKinds(definitions, accountTokens);
  const reviews = [...identityReviewKinds(credentials), ...accessReviewKinds(gatekeeper)];
  for (const kind of [...Object.values(kinds), ...reviews]) context.registry.add(kind);
  return {
    gatekeeper,
    renderTable: (request) => renderTable(request, context.now()),
    explainMissing,
    answerPlain: createPlainAnswers(context, definitions),
    start: async (signal) => startControllers(context, kinds, signal),
  };
}

async function startControllers(context: ExtensionContext, kinds: BuiltInKinds, signal: AbortSignal): Promise<void> {
  const { objects, log } = context;
  const shared = { objects, log, now: () => context.now() };
  startCrdController(context, kinds.customResourceDefinition, signal);
  await startNamespaces(context, kinds, signal);
  startCsrController({ ...shared, kind: kinds.certificateSigningRequest, ca: context.identity.ca }, signal);
  startScheduler({ ...shared, kinds }, signal);
  startNodeMonitor({ ...shared, kinds }, signal);
  startEventMirror({ objects, log, core: kinds.event, newer: kinds.newEvent }, signal);
  const events = [kinds.event, kinds.newEvent];
  startExpiry({ ...shared, events, signingRequests: kinds.certificateSigningRequest }, signal);
}
