import { localDate } from 'dsh-time-core'

/**
 * How often each tool was called on each day, and how long the calls took. A fold: it knows only what the log says, so
 * after a restart it is the same, and there is nothing to store.
 */
export class ToolHours {
  /** Day (`YYYY-MM-DD`) → tool → `{ calls, ms }`. */
  days = new Map()
  #running = new Map()
  #zone

  /** @param zone - IANA zone in which a day begins and ends. */
  constructor(zone) {
    this.#zone = zone
  }

  /** Take the next event of the log. Must not throw: a log may hold what this version does not know. */
  apply({ type, time, data }) {
    if (type === 'tool/call') this.#running.set(data.callId, { tool: data.name, since: time })
    if (type === 'tool/result') this.#end(data.message?.source?.callId, time)
  }

  #end(callId, time) {
    const call = this.#running.get(callId)
    if (call === undefined) return
    this.#running.delete(callId)
    const day = localDate(call.since, this.#zone)
    const tools = this.days.get(day) ?? new Map()
    const { calls, ms } = tools.get(call.tool) ?? { calls: 0, ms: 0 }
    tools.set(call.tool, { calls: calls + 1, ms: ms + Math.max(0, time - call.since) })
    this.days.set(day, tools)
  }
}
