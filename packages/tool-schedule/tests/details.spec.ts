import { describe, expect, it } from 'vitest'
import { sayDetail, type Detail } from '../src/details.ts'
import { NOW, utc, zone } from './events.ts'

type Said = readonly [detail: Detail, en: string, zh: string]

/** Every code, with what the model and a person who reads Chinese are told. */
const DETAILS: { readonly [C in Detail['code']]: readonly (readonly [detail: Extract<Detail, { code: C }>, en: string, zh: string])[] } = {
  not_an_object: [[{ code: 'not_an_object' }, 'The arguments must be one object.', '参数必须是一个对象。']],
  unknown_field: [[{ code: 'unknown_field', field: 'when' }, 'when is not a known field.', '没有 when 这个字段。']],
  known_fields: [[{ code: 'known_fields', fields: ['id', 'after_seconds'] }, 'Known fields: id, after_seconds.', '可用的字段：id、after_seconds。']],
  no_selector: [[{ code: 'no_selector' }, 'No selector is given.', '没有给出时间。']],
  many_selectors: [[{ code: 'many_selectors', fields: ['at', 'cron'] }, 'Given together: at, cron.', '同时给出了 at、cron。']],
  bad_id: [[{ code: 'bad_id' }, 'id must be the id of a reminder, such as r-1.', 'id 必须是提醒的编号，例如 r-1。']],
  zone_inside_at: [[{ code: 'zone_inside_at' }, 'Put time_zone inside at, beside date and time.', 'time_zone 要写在 at 里面，与 date 和 time 并列。']],
  zone_without_meaning: [[{ code: 'zone_without_meaning', selector: 'every_seconds' }, 'time_zone has no meaning with every_seconds.', 'time_zone 不能与 every_seconds 一起使用。']],
  bad_instant: [
    [
      { code: 'bad_instant', why: 'shape' },
      'at as a text must look like 2026-10-09T09:00:00+08:00 or end in Z; for a local time give { date, time, time_zone }.',
      'at 写成文字时应形如 2026-10-09T09:00:00+08:00，或以 Z 结尾；当地时间请写成 { date, time, time_zone }。',
    ],
    [{ code: 'bad_instant', why: 'calendar' }, 'This date or time of day does not exist.', '这个日期或时间不存在。'],
    [{ code: 'bad_instant', why: 'offset' }, 'The numeric offset is not valid.', '这个偏移量无效。'],
    [{ code: 'bad_instant', why: 'range' }, 'The year must have four digits, in UTC too.', '年份必须是四位数，换算成 UTC 也一样。'],
  ],
  bad_at: [[{ code: 'bad_at' }, 'at is a text with an offset, or { date, time, time_zone? }.', 'at 是带偏移量的文字，或者 { date, time, time_zone? }。']],
  known_fields_of_at: [[{ code: 'known_fields_of_at' }, 'Known fields of at: date, time, time_zone.', 'at 里可用的字段：date、time、time_zone。']],
  date_and_time_needed: [[{ code: 'date_and_time_needed' }, 'date (YYYY-MM-DD) and time (HH:mm or HH:mm:ss) are needed.', '需要 date（YYYY-MM-DD）和 time（HH:mm 或 HH:mm:ss）。']],
  does_not_exist: [[{ code: 'does_not_exist' }, 'It does not exist.', '它不存在。']],
  bad_local: [
    [{ code: 'bad_local', field: 'date' }, 'date must look like 2026-10-09.', 'date 应形如 2026-10-09。'],
    [{ code: 'bad_local', field: 'time' }, 'time must look like 09:00 or 09:00:30.', 'time 应形如 09:00 或 09:00:30。'],
  ],
  cron_needs_zone: [[{ code: 'cron_needs_zone' }, 'cron needs the time_zone that it is meant in.', 'cron 需要写明所指的时区 time_zone。']],
  bad_cron: [[{ code: 'bad_cron', refusal: { code: 'macro', macro: '@DAILY' } }, 'The macro "@DAILY" is not supported; write five fields.', '不支持宏 "@DAILY"，请写五个字段。']],
  only_of_series: [[{ code: 'only_of_series', field: 'count' }, 'count goes with every_seconds or cron only.', 'count 只能与 every_seconds 或 cron 一起使用。']],
  bad_wake: [[{ code: 'bad_wake' }, 'wake is true or false.', 'wake 只能是 true 或 false。']],
  bad_until: [[{ code: 'bad_until' }, 'until must look like 2026-12-31T23:59:59+01:00.', 'until 应形如 2026-12-31T23:59:59+08:00。']],
  bad_number: [[{ code: 'bad_number', field: 'count' }, 'count must be a whole number of 1 or more.', 'count 必须是不小于 1 的整数。']],
  now_is: [[{ code: 'now_is', now: NOW }, 'Now is 2026-10-09T01:00:00.000Z.', '现在是 2026-10-09T01:00:00.000Z。']],
  beyond_years: [[{ code: 'beyond_years' }, 'Choose a time before the year 10000.', '请选择公元 10000 年之前的时间。']],
  zones_known: [
    [
      { code: 'zones_known', request: ['Asia/Kolkata', 'Asia/Shanghai'], session: 'Asia/Shanghai', isMarked: true },
      'This request: Asia/Kolkata and Asia/Shanghai. This session: Asia/Shanghai.',
      '本次请求：Asia/Kolkata、Asia/Shanghai。本会话：Asia/Shanghai。',
    ],
    [
      { code: 'zones_known', request: [], session: undefined, isMarked: false },
      'This request: unavailable. This session: unavailable. No time reading in this turn.',
      '本次请求：未知。本会话：未知。本轮没有报时。',
    ],
  ],
  clocks_skip: [
    [
      { code: 'clocks_skip', zone: zone('Europe/Berlin'), firstAfter: utc('2027-03-28T01:00:00Z') },
      'The clocks in Europe/Berlin skip this time; the first time after the gap is 2027-03-28T03:00:00+02:00[Europe/Berlin].',
      'Europe/Berlin 的时钟会跳过这个时间，跳过之后的第一个时刻是 2027-03-28T03:00:00+02:00[Europe/Berlin]。',
    ],
  ],
  unattended: [[{ code: 'unattended', count: 20 }, '20 since a person last wrote.', '自上次有人发消息以来已有 20 个。']],
  corrupt_event: [[{ code: 'corrupt_event', seq: 7, rule: 'id "r-1" is used twice' }, 'Event 7: id "r-1" is used twice.', '第 7 个事件：id "r-1" is used twice。']],
}

describe('details of refusals', () => {
  it.each(Object.values(DETAILS).flat() as Said[])('S15 T10 %j is said in both languages', (detail, en, zh) => {
    expect([sayDetail(detail, 'en'), sayDetail(detail, 'zh')]).toEqual([en, zh])
  })
})
