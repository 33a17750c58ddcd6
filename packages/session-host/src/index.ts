/**
 * The only place that touches what the host does not promise. Each file states one fact and the version it was
 * measured on; plugins see names that hold on every version.
 *
 * @module dsh-session-host
 */
export { registerTools } from './agent-tools.ts'
export { alarmClock, createAlarmClock, MAX_SEGMENT_MS, type AlarmClock, type AlarmPort } from './alarm.ts'
export { checkpoints, NotDurable, type CheckpointListener, type Checkpoints } from './checkpoint.ts'
export { eventRoute, type EventListener, type EventRoute } from './event-route.ts'
export { fencedRoute, fencedStream, MAX_BODY_BYTES, refuseRequest, type FencedRequest, type JsonAnswer, type JsonRoute, type StreamRoute } from './fence.ts'
export { createFifo, type Fifo } from './fifo.ts'
export { claimIdle, isIdle, wakeWith } from './idle.ts'
export { isLive, isTopLevel, type LineageHeader } from './lineage.ts'
export { isNotStored, ownStart, readEvents, sessionLogs, type Follower, type SessionLogs } from './log.ts'
export { isSourceOf, notice, type NoticeSource } from './notice.ts'
export { perHost } from './per-host.ts'
export { isReading, ZoneFold, type RequestZone, type ZoneFacts } from './request-zone.ts'
export { keepsSessions, wakeSession, type WakeRefusal, type WakeResult } from './wake.ts'
export { verdictFromOutside, type Holder, type Verdict } from './wake-index/holder.ts'
export { wakeIndexPath } from './wake-index/home.ts'
export { readWakeIndex, type WakeRows } from './wake-index/sqlite-store.ts'
export { StoreUnusable, type Lease, type OwedRow, type UnusableReason } from './wake-index/store.ts'
export { wakeIndex, type WakeIndex, type WakeIndexOptions } from './wake-index/wake-index.ts'
export type { WakeKind } from './wake-index/check.ts'
export type { WakeStats } from './wake-index/runtime.ts'
