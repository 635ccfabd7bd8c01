/** The fields of the parts that every kind shares, in the notation of `type-table.ts`. */
export const META_TYPES = `
Condition: status! string, lastTransitionTime! Time, message! string, observedGeneration int64, reason! string,
  type! string
DeleteOptions: apiVersion string, kind string, dryRun string[], gracePeriodSeconds int64,
  ignoreStoreReadErrorWithClusterBreakingPotential boolean, orphanDependents boolean, preconditions Preconditions,
  propagationPolicy string
FieldSelectorRequirement: key! string, operator! string, values string[]
LabelSelector: matchExpressions LabelSelectorRequirement[], matchLabels map<string>
LabelSelectorRequirement: key! string, operator! string, values string[]
ManagedFieldsEntry: apiVersion string, fieldsType string, fieldsV1 any, manager string, operation string,
  subresource string, time Time
ObjectMeta: annotations map<string>, creationTimestamp Time, deletionGracePeriodSeconds int64,
  deletionTimestamp Time, finalizers string[*], generateName string, generation int64, labels map<string>,
  managedFields ManagedFieldsEntry[], name string, namespace string, ownerReferences OwnerReference[uid],
  resourceVersion string, selfLink string, uid string
OwnerReference: apiVersion! string, kind! string, blockOwnerDeletion boolean, controller boolean, name! string,
  uid! string
Preconditions: resourceVersion string, uid string
`;
