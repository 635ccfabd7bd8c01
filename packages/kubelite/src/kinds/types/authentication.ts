/** The fields of tokens and who somebody is, in the notation of `type-table.ts`. */
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
