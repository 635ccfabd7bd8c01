/** The fields of what somebody may do, in the notation of `type-table.ts`. */
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
