import { formatInstant, formatZoned, sayCronRefusal, sayIn, type CronRefusal, type Instant, type OffsetParse, type Sentences, type ZoneName } from 'dsh-time-core'
import type { Language } from './people/wire.ts'

/**
 * What exactly is wrong with the arguments of a tool, or what would be right; `sayDetail` puts it into words. `field`,
 * `fields` and `selector` are names of arguments.
 */
export type Detail =
  | { readonly code: 'not_an_object' }
  | { readonly code: 'unknown_field'; readonly field: string }
  | { readonly code: 'known_fields'; readonly fields: readonly string[] }
  | { readonly code: 'no_selector' }
  | { readonly code: 'many_selectors'; readonly fields: readonly string[] }
  | { readonly code: 'bad_id' }
  | { readonly code: 'zone_inside_at' }
  | { readonly code: 'zone_without_meaning'; readonly selector: string }
  /** A text with an offset; `why` as `parseOffsetInstant` says it. */
  | { readonly code: 'bad_instant'; readonly why: Extract<OffsetParse, { ok: false }>['reason'] }
  | { readonly code: 'bad_at' }
  | { readonly code: 'known_fields_of_at' }
  | { readonly code: 'date_and_time_needed' }
  /** A date, or a time of day, that no calendar and no clock has. */
  | { readonly code: 'does_not_exist' }
  | { readonly code: 'bad_local'; readonly field: 'date' | 'time' }
  | { readonly code: 'cron_needs_zone' }
  | { readonly code: 'bad_cron'; readonly refusal: CronRefusal }
  | { readonly code: 'only_of_series'; readonly field: string }
  | { readonly code: 'bad_wake' }
  | { readonly code: 'bad_until' }
  | { readonly code: 'bad_number'; readonly field: string }
  | { readonly code: 'now_is'; readonly now: Instant }
  | { readonly code: 'beyond_years' }
  /** The zones that are known, none or several for the request; `isMarked`: the model has read the time in this turn. */
  | { readonly code: 'zones_known'; readonly request: readonly string[]; readonly session: string | undefined; readonly isMarked: boolean }
  | { readonly code: 'clocks_skip'; readonly zone: ZoneName; readonly firstAfter: Instant }
  /** Reminders that were set in turns that no person started. */
  | { readonly code: 'unattended'; readonly count: number }
  /** The first event that breaks the format, and the rule that it breaks, which is in English. */
  | { readonly code: 'corrupt_event'; readonly seq: number; readonly rule: string }

const DETAILS: Sentences<Detail> = {
  en: {
    not_an_object: () => 'The arguments must be one object.',
    unknown_field: ({ field }) => `${field} is not a known field.`,
    known_fields: ({ fields }) => `Known fields: ${fields.join(', ')}.`,
    no_selector: () => 'No selector is given.',
    many_selectors: ({ fields }) => `Given together: ${fields.join(', ')}.`,
    bad_id: () => 'id must be the id of a reminder, such as r-1.',
    zone_inside_at: () => 'Put time_zone inside at, beside date and time.',
    zone_without_meaning: ({ selector }) => `time_zone has no meaning with ${selector}.`,
    bad_instant: ({ why }) => EN_INSTANTS[why],
    bad_at: () => 'at is a text with an offset, or { date, time, time_zone? }.',
    known_fields_of_at: () => 'Known fields of at: date, time, time_zone.',
    date_and_time_needed: () => 'date (YYYY-MM-DD) and time (HH:mm or HH:mm:ss) are needed.',
    does_not_exist: () => 'It does not exist.',
    bad_local: ({ field }) => (field === 'date' ? 'date must look like 2026-10-09.' : 'time must look like 09:00 or 09:00:30.'),
    cron_needs_zone: () => 'cron needs the time_zone that it is meant in.',
    bad_cron: ({ refusal }) => sayCronRefusal(refusal, 'en'),
    only_of_series: ({ field }) => `${field} goes with every_seconds or cron only.`,
    bad_wake: () => 'wake is true or false.',
    bad_until: () => 'until must look like 2026-12-31T23:59:59+01:00.',
    bad_number: ({ field }) => `${field} must be a whole number of 1 or more.`,
    now_is: ({ now }) => `Now is ${formatInstant(now)}.`,
    beyond_years: () => 'Choose a time before the year 10000.',
    zones_known: ({ request, session, isMarked }) =>
      `This request: ${request.length === 0 ? 'unavailable' : request.join(' and ')}. This session: ${session ?? 'unavailable'}.${isMarked ? '' : ' No time reading in this turn.'}`,
    clocks_skip: ({ zone, firstAfter }) => `The clocks in ${zone} skip this time; the first time after the gap is ${formatZoned(firstAfter, zone)}.`,
    unattended: ({ count }) => `${count} since a person last wrote.`,
    corrupt_event: ({ seq, rule }) => `Event ${seq}: ${rule}.`,
  },
  zh: {
    not_an_object: () => '参数必须是一个对象。',
    unknown_field: ({ field }) => `没有 ${field} 这个字段。`,
    known_fields: ({ fields }) => `可用的字段：${fields.join('、')}。`,
    no_selector: () => '没有给出时间。',
    many_selectors: ({ fields }) => `同时给出了 ${fields.join('、')}。`,
    bad_id: () => 'id 必须是提醒的编号，例如 r-1。',
    zone_inside_at: () => 'time_zone 要写在 at 里面，与 date 和 time 并列。',
    zone_without_meaning: ({ selector }) => `time_zone 不能与 ${selector} 一起使用。`,
    bad_instant: ({ why }) => ZH_INSTANTS[why],
    bad_at: () => 'at 是带偏移量的文字，或者 { date, time, time_zone? }。',
    known_fields_of_at: () => 'at 里可用的字段：date、time、time_zone。',
    date_and_time_needed: () => '需要 date（YYYY-MM-DD）和 time（HH:mm 或 HH:mm:ss）。',
    does_not_exist: () => '它不存在。',
    bad_local: ({ field }) => (field === 'date' ? 'date 应形如 2026-10-09。' : 'time 应形如 09:00 或 09:00:30。'),
    cron_needs_zone: () => 'cron 需要写明所指的时区 time_zone。',
    bad_cron: ({ refusal }) => sayCronRefusal(refusal, 'zh'),
    only_of_series: ({ field }) => `${field} 只能与 every_seconds 或 cron 一起使用。`,
    bad_wake: () => 'wake 只能是 true 或 false。',
    bad_until: () => 'until 应形如 2026-12-31T23:59:59+08:00。',
    bad_number: ({ field }) => `${field} 必须是不小于 1 的整数。`,
    now_is: ({ now }) => `现在是 ${formatInstant(now)}。`,
    beyond_years: () => '请选择公元 10000 年之前的时间。',
    zones_known: ({ request, session, isMarked }) => `本次请求：${request.length === 0 ? '未知' : request.join('、')}。本会话：${session ?? '未知'}。${isMarked ? '' : '本轮没有报时。'}`,
    clocks_skip: ({ zone, firstAfter }) => `${zone} 的时钟会跳过这个时间，跳过之后的第一个时刻是 ${formatZoned(firstAfter, zone)}。`,
    unattended: ({ count }) => `自上次有人发消息以来已有 ${count} 个。`,
    corrupt_event: ({ seq, rule }) => `第 ${seq} 个事件：${rule}。`,
  },
}

type Instants = Readonly<Record<Extract<Detail, { readonly code: 'bad_instant' }>['why'], string>>

const EN_INSTANTS: Instants = {
  shape: 'at as a text must look like 2026-10-09T09:00:00+08:00 or end in Z; for a local time give { date, time, time_zone }.',
  calendar: 'This date or time of day does not exist.',
  offset: 'The numeric offset is not valid.',
  range: 'The year must have four digits, in UTC too.',
}

const ZH_INSTANTS: Instants = {
  shape: 'at 写成文字时应形如 2026-10-09T09:00:00+08:00，或以 Z 结尾；当地时间请写成 { date, time, time_zone }。',
  calendar: '这个日期或时间不存在。',
  offset: '这个偏移量无效。',
  range: '年份必须是四位数，换算成 UTC 也一样。',
}

/**
 * A detail as one or more plain sentences.
 *
 * @param detail - of a refusal.
 * @param language - of the reader; the model's is English.
 */
export function sayDetail(detail: Detail, language: Language): string {
  return sayIn(DETAILS, detail, language)
}
