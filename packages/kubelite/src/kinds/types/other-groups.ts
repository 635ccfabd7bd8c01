/** The fields of CustomResourceDefinitions, in the notation of `type-table.ts`. */
export const APIEXTENSIONS_TYPES = `
ServiceReference: name! string, namespace! string, path string, port integer
WebhookClientConfig: caBundle bytes, service ServiceReference, url string
CustomResourceColumnDefinition: description string, format string, jsonPath! string, name! string,
  priority integer, type! string
CustomResourceConversion: strategy! string, webhook WebhookConversion
CustomResourceDefinition: apiVersion string, kind string, metadata ObjectMeta, spec! CustomResourceDefinitionSpec,
  status CustomResourceDefinitionStatus
CustomResourceDefinitionCondition: status! string, lastTransitionTime Time, message string,
  observedGeneration int64, reason string, type! string
CustomResourceDefinitionNames: kind! string, categories string[], listKind string, plural! string,
  shortNames string[], singular string
CustomResourceDefinitionSpec: conversion CustomResourceConversion, group! string,
  names! CustomResourceDefinitionNames, preserveUnknownFields boolean, scope! string,
  versions! CustomResourceDefinitionVersion[]
CustomResourceDefinitionStatus: acceptedNames CustomResourceDefinitionNames,
  conditions CustomResourceDefinitionCondition[type], observedGeneration int64, storedVersions string[]
CustomResourceDefinitionVersion: additionalPrinterColumns CustomResourceColumnDefinition[], deprecated boolean,
  deprecationWarning string, name! string, schema CustomResourceValidation, selectableFields SelectableField[],
  served! boolean, storage! boolean, subresources CustomResourceSubresources
CustomResourceSubresourceScale: labelSelectorPath string, specReplicasPath! string, statusReplicasPath! string
CustomResourceSubresources: status any, scale CustomResourceSubresourceScale
CustomResourceValidation: openAPIV3Schema any
SelectableField: jsonPath! string
WebhookConversion: clientConfig WebhookClientConfig, conversionReviewVersions! string[]
`;

/** The fields of tokens and who someone is, in the notation of `type-table.ts`. */
export const AUTHENTICATION_TYPES = `
BoundObjectReference: apiVersion string, kind string, name string, uid string
SelfSubjectReview: apiVersion string, kind string, metadata ObjectMeta, status SelfSubjectReviewStatus
SelfSubjectReviewStatus: userInfo UserInfo
TokenRequest: apiVersion string, kind string, metadata ObjectMeta, spec TokenRequestSpec,
  status TokenRequestStatus
TokenRequestSpec: audiences string[], boundObjectRef BoundObjectReference, expirationSeconds int64
TokenRequestStatus: expirationTimestamp Time, token string
TokenReview: apiVersion string, kind string, metadata ObjectMeta, spec! TokenReviewSpec, status TokenReviewStatus
TokenReviewSpec: audiences string[], token! string
TokenReviewStatus: audiences string[], authenticated boolean, error string, user UserInfo
UserInfo: extra map<string[]>, groups string[], uid string, username string
`;

/** The fields of what someone may do, in the notation of `type-table.ts`. */
export const AUTHORIZATION_TYPES = `
FieldSelectorAttributes: rawSelector string, requirements FieldSelectorRequirement[]
LabelSelectorAttributes: rawSelector string, requirements LabelSelectorRequirement[]
NonResourceAttributes: path string, verb string
NonResourceRule: nonResourceURLs string[], verbs! string[]
ResourceAttributes: fieldSelector FieldSelectorAttributes, group string, labelSelector LabelSelectorAttributes,
  name string, namespace string, resource string, subresource string, verb string, version string
ResourceRule: apiGroups string[], resourceNames string[], resources string[], verbs! string[]
SelfSubjectAccessReview: apiVersion string, kind string, metadata ObjectMeta, spec! SelfSubjectAccessReviewSpec,
  status SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: nonResourceAttributes NonResourceAttributes, resourceAttributes ResourceAttributes
SelfSubjectRulesReview: apiVersion string, kind string, metadata ObjectMeta, spec! SelfSubjectRulesReviewSpec,
  status SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: namespace string
SubjectAccessReview: apiVersion string, kind string, metadata ObjectMeta, spec! SubjectAccessReviewSpec,
  status SubjectAccessReviewStatus
SubjectAccessReviewSpec: extra map<string[]>, groups string[], nonResourceAttributes NonResourceAttributes,
  resourceAttributes ResourceAttributes, uid string, user string
SubjectAccessReviewStatus: allowed! boolean, denied boolean, evaluationError string, reason string
SubjectRulesReviewStatus: evaluationError string, incomplete! boolean, nonResourceRules! NonResourceRule[],
  resourceRules! ResourceRule[]
`;

/** The fields of certificate signing requests, in the notation of `type-table.ts`. */
export const CERTIFICATES_TYPES = `
CertificateSigningRequest: apiVersion string, kind string, metadata ObjectMeta,
  spec! CertificateSigningRequestSpec, status CertificateSigningRequestStatus
CertificateSigningRequestCondition: status! string, lastTransitionTime Time, lastUpdateTime Time, message string,
  reason string, type! string
CertificateSigningRequestSpec: expirationSeconds integer, extra map<string[]>, groups string[], request! bytes,
  signerName! string, uid string, usages string[], username string
CertificateSigningRequestStatus: certificate bytes, conditions CertificateSigningRequestCondition[type]
`;

/** The fields of leases, in the notation of `type-table.ts`. */
export const COORDINATION_TYPES = `
Lease: apiVersion string, kind string, metadata ObjectMeta, spec LeaseSpec
LeaseSpec: acquireTime MicroTime, holderIdentity string, leaseDurationSeconds integer, leaseTransitions integer,
  preferredHolder string, renewTime MicroTime, strategy string
`;

/** The fields of the newer form of events, in the notation of `type-table.ts`. */
export const EVENTS_TYPES = `
Event: apiVersion string, kind string, metadata ObjectMeta, action string, deprecatedCount integer,
  deprecatedFirstTimestamp Time, deprecatedLastTimestamp Time, deprecatedSource EventSource, eventTime! MicroTime,
  note string, reason string, regarding ObjectReference, related ObjectReference, reportingController string,
  reportingInstance string, series EventSeries, type string
EventSeries: count! integer, lastObservedTime! MicroTime
`;

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

/** The fields of evictions, in the notation of `type-table.ts`. */
export const POLICY_TYPES = `
Eviction: apiVersion string, kind string, metadata ObjectMeta, deleteOptions DeleteOptions
`;
