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
