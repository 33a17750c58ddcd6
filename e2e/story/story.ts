import assert from 'node:assert/strict'
import type { LogEvent } from '../../scripts/lib/dsh-client.ts'
import { bootHost, type Host } from '../lib/host.ts'
import type { Home } from '../lib/home.ts'
import { logFile, readLog } from '../lib/log-file.ts'
import { resultsOf, talk } from '../lib/transcript.ts'
import { waitFor } from '../lib/waiting.ts'
import { countdownsIn, remindersIn, type Reminder } from './deliveries.ts'
import type { Timeline } from './timeline.ts'

/** Where the person of the story sits. */
export const HOME_ZONE = 'Asia/Shanghai'
const AWAY_ZONE = 'Europe/Berlin'

/** What the story leaves for its reader. */
export interface Outcome {
  readonly sessionId: string
  readonly reminders: readonly Reminder[]
}

interface Value {
  readonly [member: string]: unknown
}

/**
 * The whole story on real processes: reminders through kills, restarts, a fork and the removal of the plugin.
 *
 * @param home - a home with both bundles; at the end it has lost ours.
 * @param withoutPlugin - takes our bundle out of the home.
 * @param timeline - records and tells.
 */
export async function tellStory(home: Home, withoutPlugin: () => void, timeline: Timeline): Promise<Outcome> {
  const story = new Story(home, timeline)
  await story.firstHost()
  await story.moreKinds()
  await story.timers()
  await story.crash()
  await story.restart()
  await story.thirdHost()
  await story.pluginGone(withoutPlugin)
  return story.outcome()
}

class Story {
  readonly #home: Home
  readonly #timeline: Timeline
  #host: Host | undefined
  #sessionId = ''

  constructor(home: Home, timeline: Timeline) {
    this.#home = home
    this.#timeline = timeline
  }

  async firstHost(): Promise<void> {
    await this.#step('boot the real host with the plugins', async () => this.#boot())
    await this.#step('ask in words: a reminder in 3 seconds', async () => {
      this.#sessionId = await this.#live().createSession(this.#home.workspace)
      return this.#ask('remind me in 3 seconds to stretch', 'schedule_create', (made) => assert.equal(made['state'], 'scheduled'))
    })
    await this.#step('ask for the list: it is there', async () =>
      this.#ask('list my reminders', 'schedule_list', (list) => assert.equal(list['total'], 1)))
    await this.#step('it is delivered on time to the idle session, once', async () => {
      const { driftMs, deliveries } = await this.#delivered('stretch')
      assert.equal(deliveries, 1)
      assert.ok((driftMs ?? Infinity) < 2000, `drift ${driftMs} ms`)
      return `drift ${driftMs} ms`
    })
  }

  async moreKinds(): Promise<void> {
    await this.#step('snooze it by 2 seconds: one more delivery, marked as such', async () => {
      await this.#ask('call schedule_snooze {"id":"r-1","after_seconds":2} ;; snoozed', 'schedule_snooze', (made) => assert.equal(made['snoozeOf'], 'r-1'))
      const { deliveries } = await this.#delivered('stretch', 'r-2')
      assert.equal(deliveries, 1)
      return 'r-2 is the extra delivery of r-1'
    })
    await this.#step('a calendar series: its local time, its zone and its next fires are said', async () =>
      this.#ask('call schedule_create {"prompt":"stand-up","cron":"0 9 * * 1-5","time_zone":"Europe/Berlin"} ;; set', 'schedule_create', (made) => {
        assert.equal(made['kind'], 'cron')
        assert.match(String(made['local']), /T09:00:00\+0[12]:00$/)
        assert.equal((made['next'] as string[]).length, 3)
      }, ({ local, zone, next }) => `first ${String(local)} ${String(zone)}, then ${(next as string[]).join(', ')}`))
    await this.#step('a second tab in another zone asks for a local time: it has to say which zone it means', async () =>
      this.#ask('call schedule_create {"prompt":"x","at":{"date":"2099-01-01","time":"09:00"}} ;; ok', 'schedule_create', (refusal) => {
        assert.equal(refusal['code'], 'timezone_confirmation_required')
        assert.match(String(refusal['detail']), new RegExp(`${AWAY_ZONE}.*${HOME_ZONE}`))
      }, ({ detail }) => String(detail), AWAY_ZONE))
  }

  async timers(): Promise<void> {
    await this.#step('in Chinese: count the time of a build, and ask how long it has run', async () => {
      await this.#ask('计时 build', 'time_counter', (counter) => assert.equal(counter['name'], 'build'))
      return this.#ask('build 用了多久', 'time_counter', (counter) => assert.equal(counter['name'], 'build'), ({ name, lapse }) => `${String(name)} ${String(lapse)}`)
    })
    await this.#step('in Chinese: a countdown of 3 seconds wakes the idle session when it is over', async () => {
      await this.#ask('倒计时3秒 泡茶', 'time_countdown', (countdown) => assert.equal(countdown['name'], '泡茶'))
      const mark = await waitFor('the notice of the countdown is on disk', () => this.#stored().flatMap(countdownsIn).find(({ name }) => name === '泡茶'))
      const lateMs = mark.time - Date.parse(mark.dueAt)
      assert.ok(lateMs < 2000, `late by ${lateMs} ms`)
      return `drift ${lateMs} ms`
    })
    await this.#step('in English: a countdown, put off and taken back', async () => {
      await this.#ask('countdown 10m tea', 'time_countdown', (countdown) => assert.equal(countdown['name'], 'tea'))
      await this.#ask('call time_countdown {"action":"snooze","name":"tea","in":"20m"} ;; later', 'time_countdown', (countdown) => assert.equal(countdown['name'], 'tea'))
      await this.#ask('call time_countdown {"action":"cancel","name":"tea"} ;; gone', 'time_countdown', (countdown) => assert.equal(countdown['name'], 'tea'))
      return this.#ask('call time_countdown {"action":"list","includeFired":true} ;; listed', 'time_countdown', (list) => assert.equal(list['total'], 0), ({ total, fired }) => `pending ${String(total)}, fired ${(fired as Value[]).length}`)
    })
  }

  async crash(): Promise<void> {
    await this.#step('a second reminder, in 5 seconds, is stored and waits', async () => {
      await this.#ask('remind me in 5 seconds to drink water', 'schedule_create', (made) => assert.equal(made['state'], 'scheduled'))
      await waitFor('the create is on disk', () => this.#find('drink water') !== undefined)
      return this.#find('drink water')?.scheduledAt ?? ''
    })
    await this.#step('kill -9 the host', async () => {
      const host = this.#live()
      host.kill('SIGKILL')
      await host.exited
      this.#host = undefined
      assert.equal(this.#find('drink water')?.deliveredAt, undefined)
      return `process ${host.pid} is gone, the reminder is not delivered`
    })
    await this.#step('its instant passes while no host runs', async () => {
      const due = Date.parse(this.#find('drink water')?.scheduledAt ?? '')
      await waitFor('three seconds past its instant', () => Date.now() > due + 3000)
      return ''
    })
  }

  async restart(): Promise<void> {
    await this.#step('start again: the session is cold, and the reminder still waits', async () => {
      const pid = await this.#boot()
      assert.equal(this.#find('drink water')?.deliveredAt, undefined)
      return pid
    })
    await this.#step('open the session: it is delivered once, late, with the reason', async () => {
      await this.#live().open(this.#sessionId)
      const { driftMs, deliveries, reasons } = await this.#delivered('drink water')
      assert.equal(deliveries, 1)
      assert.ok((driftMs ?? 0) > 2000)
      assert.deepEqual(reasons, ['host-down'])
      return `${driftMs} ms late, because: ${reasons.join(', ')}`
    })
    await this.#step('fork the session: the fork owns nothing', async () => {
      const fork = await this.#live().fork(this.#sessionId)
      const events = await talk(this.#live(), fork, 'call schedule_list {} ;; listed', { zone: HOME_ZONE })
      const [list] = resultsOf(events, 'schedule_list').slice(-1) as Value[]
      assert.equal(list?.['total'], 0)
      return `fork ${fork}: 0 reminders`
    })
  }

  async thirdHost(): Promise<void> {
    await this.#step('stop and start a third time: nothing is delivered again', async () => {
      await this.#live().stop()
      await this.#boot()
      await this.#live().open(this.#sessionId)
      await talk(this.#live(), this.#sessionId, 'call schedule_list {} ;; listed', { zone: HOME_ZONE })
      const twice = this.#reminders().filter(({ deliveries }) => deliveries > 1)
      assert.deepEqual(twice, [])
      return 'every reminder was delivered once'
    })
  }

  async pluginGone(withoutPlugin: () => void): Promise<void> {
    await this.#step('remove the plugin: the session opens, and its next turn runs', async () => {
      await this.#live().stop()
      withoutPlugin()
      await this.#boot()
      await this.#live().open(this.#sessionId)
      const events = await talk(this.#live(), this.#sessionId, 'say still here', { zone: HOME_ZONE })
      const end = events.findLast(({ type }) => type === 'turn/end')
      assert.deepEqual(end?.data['reason'], { kind: 'completed' })
      await this.#live().stop()
      return `${events.length} events, all readable`
    })
  }

  outcome(): Outcome {
    return { sessionId: this.#sessionId, reminders: this.#reminders() }
  }

  #step(name: string, act: () => Promise<string>): Promise<void> {
    return this.#timeline.step(name, act)
  }

  async #boot(): Promise<string> {
    this.#host = await bootHost(this.#home)
    return `process ${this.#host.pid}, ${this.#host.url}`
  }

  #live(): Host {
    assert.ok(this.#host !== undefined, 'no host is running')
    return this.#host
  }

  /** Say something, and look at the newest value that a tool answered. */
  async #ask(text: string, tool: string, check: (value: Value) => void, show: (value: Value) => string = ({ id, scheduledAt, total }) => [id, scheduledAt, total].filter((one) => one !== undefined).map(String).join(' '), zone = HOME_ZONE): Promise<string> {
    const events = await talk(this.#live(), this.#sessionId, text, { zone })
    const value = resultsOf(events, tool).at(-1) as Value | undefined
    assert.ok(value !== undefined, `the model did not call ${tool}`)
    check(value)
    return show(value)
  }

  async #delivered(prompt: string, id?: string): Promise<Reminder> {
    return waitFor(`the delivery of "${prompt}" is on disk`, () => {
      const reminder = this.#find(prompt, id)
      return reminder?.deliveredAt !== undefined && reminder.deliveries > 0 && reminder
    })
  }

  #find(prompt: string, id?: string): Reminder | undefined {
    return this.#reminders().find((one) => one.prompt === prompt && (id === undefined || one.id === id))
  }

  #reminders(): readonly Reminder[] {
    return remindersIn(this.#stored())
  }

  #stored(): readonly LogEvent[] {
    return logFile(this.#home, this.#sessionId) === undefined ? [] : readLog(this.#home, this.#sessionId).events
  }
}
