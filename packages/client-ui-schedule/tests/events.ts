import type { DurableEvent } from '../src/protocol.ts'

/** 2026-10-09T01:00:00.000Z. */
export const T0 = Date.UTC(2026, 9, 9, 1)

export const iso = (instant: number): string => new Date(instant).toISOString()

/** An event whose time is its place in the log. */
export const event = (seq: number, type: string, data: unknown): DurableEvent => ({ seq, type, time: T0 + seq * 1000, data })

export const create = (seq: number, id: string, prompt = `prompt ${seq}`, more: object = { kind: 'at' }): DurableEvent =>
  event(seq, 'schedule/change', { version: 1, operation: 'create', schedule: { id, prompt, scheduledAt: iso(T0 + 60_000), ...more } })

export const dispatch = (seq: number, id: string, more: object = {}): DurableEvent => event(seq, 'schedule/change', { version: 1, operation: 'dispatch', id, ...more })

export const other = (seq: number): DurableEvent => event(seq, 'step/start', { turn: 1, step: seq })

/** The message that brings reminders, as the log holds it. */
export const message = (messageId: string, deliveries: readonly object[], kind = 'dsh-tool-schedule'): object => ({
  id: messageId,
  role: 'user',
  content: [],
  source: { kind, form: 'notice', summary: 'Reminder', timekeeper: { v: 1, facts: deliveries } },
})

export const delivery = (id: string, lateMs = 0, reasons: readonly string[] = []): object => ({
  fact: 'delivery',
  id,
  occurrenceAt: iso(T0 + 60_000),
  deliveredAt: iso(T0 + 60_000 + lateMs),
  reasons,
})
