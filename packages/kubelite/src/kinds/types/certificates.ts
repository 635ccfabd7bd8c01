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
