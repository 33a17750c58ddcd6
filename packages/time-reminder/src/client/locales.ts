/** Namespace of the wording in the page's dictionaries. */
export const NAMESPACE = 'dsh-time-reminder'

/** Keys of the wording. */
export type WordingKey = keyof typeof en

/** English wording. */
export const en = {
  locale: 'en-US',
  'button.now': 'Clock, {time}',
  'button.next': 'Clock, next due {time}',
  title: 'Clock',
  zone: 'Zone of this browser: {zone}',
  zoneOther: 'The model reads the time in {zone}',
  next: 'Next due: {time}',
  modes: 'How often the model is told the time',
  'mode.off': 'Off',
  'mode.cron': 'Plan',
  'mode.turn': 'Turn',
  'mode.fine': 'Step',
  'effect.off': 'No readings; the tools still tell the time.',
  'effect.cron': 'One reading when the plan is due, after a resume or a long pause, and when the date changes.',
  'effect.turn': 'One reading per turn, on its first step.',
  'effect.fine': 'One reading at every step.',
  plan: 'Plan (cron: minute hour day month weekday)',
  save: 'Save',
  saving: 'Saving…',
  requested: 'Requested, takes effect at the next step',
  notLive: 'This session is not open in the host; its mode cannot be changed now.',
  unreachable: 'The host did not answer. Check that it is running.',
  retry: 'Try again',
  loading: 'Loading…',
  reminders: 'Reminders',
} as const

/** Chinese wording. */
export const zh: Readonly<Record<WordingKey, string>> = {
  locale: 'zh-CN',
  'button.now': '时钟，{time}',
  'button.next': '时钟，下次到期 {time}',
  title: '时钟',
  zone: '浏览器时区：{zone}',
  zoneOther: '模型读到的时间按 {zone}',
  next: '下次到期：{time}',
  modes: '多久告诉模型一次时间',
  'mode.off': '关闭',
  'mode.cron': '计划',
  'mode.turn': '每轮',
  'mode.fine': '每步',
  'effect.off': '不报时；工具仍可查询时间。',
  'effect.cron': '计划到点、恢复会话或长时间停顿后、以及日期变化时，各报时一次。',
  'effect.turn': '每轮对话在第一步报时一次。',
  'effect.fine': '每一步都报时一次。',
  plan: '计划（cron：分 时 日 月 星期）',
  save: '保存',
  saving: '保存中…',
  requested: '已请求，下一步生效',
  notLive: '主机上没有打开这个会话，现在不能更改模式。',
  unreachable: '主机没有回应，请确认它在运行。',
  retry: '重试',
  loading: '加载中…',
  reminders: '提醒',
}
