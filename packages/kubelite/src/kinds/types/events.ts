/** The fields of the newer form of events, in the notation of `type-table.ts`. */
export const EVENTS_TYPES = `
Event: apiVersion string, kind string, metadata ObjectMeta, action string, deprecatedCount integer,
  deprecatedFirstTimestamp Time, deprecatedLastTimestamp Time, deprecatedSource EventSource, eventTime! MicroTime,
  note string, reason string, regarding ObjectReference, related ObjectReference, reportingController string,
  reportingInstance string, series EventSeries, type string
EventSeries: count! integer, lastObservedTime! MicroTime
`;
