/** What every object carries, and the groups around the core. In the notation of `read-fields.ts`. */
export const META_FIELDS = `
BoundObjectReference: kind=1 string, apiVersion=2 string, name=3 string, uid=4 string
CertificateSigningRequest: metadata=1 ObjectMeta, spec=2 CertificateSigningRequestSpec, status=3
  CertificateSigningRequestStatus
CertificateSigningRequestCondition: type!=1 string, status!=6 string, reason=2 string, message=3 string,
  lastUpdateTime=4 Time, lastTransitionTime=5 Time
CertificateSigningRequestSpec: request=1 bytes, signerName!=7 string, usages=5 string[], username=2 string, uid=3
  string, groups=4 string[], extra=6 map<ExtraValue>, expirationSeconds!=8 int
CertificateSigningRequestStatus: conditions=1 CertificateSigningRequestCondition[], certificate=2 bytes
Condition: type!=1 string, status!=2 string, observedGeneration=3 int, lastTransitionTime=4 Time, reason!=5 string,
  message!=6 string
DeleteOptions: gracePeriodSeconds!=1 int, preconditions=2 Preconditions, orphanDependents!=3 bool,
  propagationPolicy!=4 string, dryRun=5 string[]
Eviction: metadata=1 ObjectMeta, deleteOptions=2 DeleteOptions
LabelSelector: matchLabels=1 map<string>, matchExpressions=2 LabelSelectorRequirement[]
LabelSelectorRequirement: key!=1 string, operator!=2 string, values=3 string[]
Lease: metadata=1 ObjectMeta, spec=2 LeaseSpec
LeaseSpec: holderIdentity!=1 string, leaseDurationSeconds!=2 int, acquireTime=3 MicroTime, renewTime=4 MicroTime,
  leaseTransitions!=5 int, strategy!=6 string, preferredHolder!=7 string
LocalSubjectAccessReview: metadata=1 ObjectMeta, spec=2 SubjectAccessReviewSpec, status=3 SubjectAccessReviewStatus
ManagedFieldsEntry: manager=1 string, operation=2 string, apiVersion=3 string, time=4 Time, fieldsType=6 string,
  fieldsV1=7 FieldsV1, subresource=8 string
NewEvent: metadata=1 ObjectMeta, eventTime=2 MicroTime, series=3 NewEventSeries, reportingController=4 string,
  reportingInstance=5 string, action=6 string, reason=7 string, regarding=8 ObjectReference, related=9 ObjectReference, note=10 string, type=11
  string, deprecatedSource=12 EventSource, deprecatedFirstTimestamp=13 Time, deprecatedLastTimestamp=14 Time,
  deprecatedCount=15 int
NewEventSeries: count!=1 int, lastObservedTime=2 MicroTime
NonResourceAttributes: path=1 string, verb=2 string
NonResourceRule: verbs=1 string[], nonResourceURLs=2 string[]
ObjectMeta: name=1 string, generateName=2 string, namespace=3 string, selfLink=4 string, uid=5 string,
  resourceVersion=6 string, generation=7 int, creationTimestamp=8 Time, deletionTimestamp=9 Time,
  deletionGracePeriodSeconds!=10 int, labels=11 map<string>, annotations=12 map<string>, ownerReferences=13
  OwnerReference[], finalizers=14 string[], managedFields=17 ManagedFieldsEntry[]
OwnerReference: apiVersion!=5 string, kind!=1 string, name!=3 string, uid!=4 string, controller!=6 bool,
  blockOwnerDeletion!=7 bool
Preconditions: uid!=1 string, resourceVersion!=2 string
ResourceAttributes: namespace=1 string, verb=2 string, group=3 string, version=4 string, resource=5 string,
  subresource=6 string, name=7 string
ResourceRule: verbs=1 string[], apiGroups=2 string[], resources=3 string[], resourceNames=4 string[]
SelfSubjectAccessReview: metadata=1 ObjectMeta, spec=2 SelfSubjectAccessReviewSpec, status=3
  SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: resourceAttributes=1 ResourceAttributes, nonResourceAttributes=2 NonResourceAttributes
SelfSubjectReview: metadata=1 ObjectMeta, status=2 SelfSubjectReviewStatus
SelfSubjectReviewStatus: userInfo=1 UserInfo
SelfSubjectRulesReview: metadata=1 ObjectMeta, spec=2 SelfSubjectRulesReviewSpec, status=3 SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: namespace=1 string
SubjectAccessReview: metadata=1 ObjectMeta, spec=2 SubjectAccessReviewSpec, status=3 SubjectAccessReviewStatus
SubjectAccessReviewSpec: resourceAttributes=1 ResourceAttributes, nonResourceAttributes=2 NonResourceAttributes,
  user=3 string, groups=4 string[], extra=5 map<ExtraValue>, uid=6 string
SubjectAccessReviewStatus: allowed!=1 bool, denied=4 bool, reason=2 string, evaluationError=3 string
SubjectRulesReviewStatus: resourceRules=1 ResourceRule[], nonResourceRules=2 NonResourceRule[], incomplete!=3 bool,
  evaluationError=4 string
TokenRequest: metadata=1 ObjectMeta, spec=2 TokenRequestSpec, status=3 TokenRequestStatus
TokenRequestSpec: audiences=1 string[], expirationSeconds!=4 int, boundObjectRef=3 BoundObjectReference
TokenRequestStatus: token!=1 string, expirationTimestamp=2 Time
TokenReview: metadata=1 ObjectMeta, spec=2 TokenReviewSpec, status=3 TokenReviewStatus
TokenReviewSpec: token=1 string, audiences=2 string[]
TokenReviewStatus: authenticated=1 bool, user=2 UserInfo, audiences=4 string[], error=3 string
UserInfo: username=1 string, uid=2 string, groups=3 string[], extra=4 map<ExtraValue>
`;
