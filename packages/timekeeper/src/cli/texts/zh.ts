import { formatDuration, sayCronNote, sayCronRefusal } from 'dsh-time-core'
import { doctorZh } from './doctor-zh.ts'
import type { Texts } from './en.ts'

const COMMON_OPTIONS = `  --json         输出一个供程序读取的 JSON 文档，被拒绝时也一样
  --lang zh|en   语言（默认与终端一致）
  -h, --help     显示本帮助

退出码：0 完成，1 被拒绝或发现问题，2 命令行无法理解。`

/** The same in Chinese. */
export const zh: Texts = {
  help: {
    all: `timekeeper：从已保存的日志查看 DeepSeek Harness 会话的提醒，不需要运行主机。

  timekeeper next <cron> --zone <IANA 时区>   预览一条规则何时触发
  timekeeper inspect [<日志文件或会话>]       一个会话的提醒后来怎样、为什么
  timekeeper doctor                           有什么问题、该怎么做

  timekeeper <命令> --help                    某个命令的更多说明
${COMMON_OPTIONS}`,
    next: `timekeeper next <cron> --zone <IANA 时区> [--after <时刻>] [--count <个数>]

预览一条规则何时触发：五个字段写在一对引号里，如 "30 2 * * *"（分 时 日 月 星期）。
schedule_create 会拒绝的规则，这里以同样的代码拒绝。

  --zone ZONE    规则所指的时区：UTC、Europe/Berlin、Asia/Shanghai 等
  --after TIME   只列出此时刻之后的触发，如 2026-03-08T06:30:00Z（默认：现在）
  --count N      列出几次，1 到 100（默认：5）
${COMMON_OPTIONS}`,
    inspect: `timekeeper inspect [<日志文件或会话 id>] [--home <文件夹>]

一个会话的日志说明了什么：计划了什么、送达、迟到、错过及其原因，以及日志本身有什么问题。
会话可以是文件（session.jsonl 或 session.jsonl.zstd）、它所在的文件夹，或会话 id（也可只写开头）。
不写则列出主目录中的会话。

  --home DIR     DSH 主目录（默认：DSH_HOME，否则 ~/.dsh）
${COMMON_OPTIONS}`,
    doctor: `timekeeper doctor [--home <文件夹>] [--profile <名称>] [--browser]

检查机器、配置、所有会话日志和唤醒索引，说明有什么问题、该怎么做。不写入任何内容，主机可以同时运行。
“提示”仅供了解；“问题”需要处理（退出码 1）。

  --home DIR      DSH 主目录（默认：DSH_HOME，否则 ~/.dsh）
  --profile NAME  主目录中的配置（默认：web）
  --browser       另与浏览器比较时区数据：在标准错误输出一个本机地址，等待浏览器打开它
${COMMON_OPTIONS}`,
  },
  refusals: {
    invalid_rule: '规则无效。',
    invalid_time_zone: '时区必须是 UTC 或 IANA 名称，如 Asia/Shanghai；不接受缩写和偏移量。',
    frequency_too_high: '重复间隔不得短于 300 秒。',
    no_future_occurrence: '规则在此之后没有任何一次触发。',
    usage: '命令行无法理解。',
    home_not_found: '没有这个 DSH 主目录。',
    session_not_found: '没有这个会话。',
    ambiguous_session: '所指的日志不止一个。',
    log_unreadable: '文件无法读取。',
    not_a_session_log: '这不是会话日志。',
    format_unsupported: '本版本不能读取这种格式的日志。',
    browser_silent: '没有浏览器答复。',
    interrupted: '在浏览器答复之前停止了。',
    not_served: '无法在 127.0.0.1 上提供页面。',
  },
  details: {
    zone: (zone) => `给出的是“${zone}”。`,
    tooOften: (gap, least) => `两次触发最短相隔 ${gap} 秒；至少要 ${least} 秒。`,
    noneAfter: (instant) => `${instant} 之后没有。`,
    cron: (refusal) => sayCronRefusal(refusal, 'zh'),
    unknownOption: (option) => `没有选项 ${option}。`,
    foreignOption: (option, command) => `${option} 不能用于 ${command}。`,
    twice: (option) => `${option} 给了两次。`,
    noValue: (option) => `${option} 不带值。`,
    missingValue: (option) => `${option} 后面缺少值。`,
    language: (word) => `--lang 只能是 zh 或 en，不能是“${word}”。`,
    unknownCommand: (word) => `没有命令“${word}”。`,
    noCommand: '请给出命令：next、inspect 或 doctor。',
    noCron: '请在引号里给出 cron 表达式：timekeeper next "0 9 * * 1-5" --zone Asia/Shanghai',
    manyCronWords: (count) => `cron 表达式必须是一个词，请加引号；这里有 ${count} 个词。`,
    noZone: '请给出规则所指的时区：--zone Asia/Shanghai',
    after: (text) => `--after 应形如 2026-03-08T06:30:00Z 或 2026-03-08T14:30:00+08:00，不能是“${text}”。`,
    count: (text, most) => `--count 必须是 1 到 ${most} 的整数，不能是“${text}”。`,
    noWords: (command, word) => `${command} 只接受选项，不接受“${word}”。`,
    profile: (name) => `--profile 必须是 profiles/ 下的文件夹名称，不能是“${name}”。`,
    manyTargets: (count) => `只能给出一个日志文件或会话，这里有 ${count} 个。`,
    noHome: (path) => `${path} 不存在。请用 --home 指定主目录，或设置 DSH_HOME。`,
    noSession: (target, home) => `“${target}”既不是文件，也不是 ${home} 中的会话。列出会话：timekeeper inspect --home ${home}`,
    ambiguous: (paths) => `请给出其中一个文件：${paths.join(' , ')}`,
    unreadable: (path, code) => `${path}：${code}。请确认它存在，并且您有权读取。`,
    noHeader: (path) => `${path} 的开头不是会话头。请给出 DSH 主目录中的 session.jsonl 或 session.jsonl.zstd。`,
    format: (path, format) => `${path} 的格式是 ${format}；本版本读取 DSH 0.1 的格式 0。请使用更新的 timekeeper。`,
    browserSilent: (limit) => `${limit}内没有比较任何内容。请再次运行，并用本机的浏览器打开它输出的地址；不加 --browser 时，doctor 不等待浏览器。`,
    interrupted: '没有比较任何内容。不加 --browser 时，doctor 不等待浏览器。',
    notServed: (code) => `监听 127.0.0.1 失败：${code}。请在不禁止它的环境中运行，或不加 --browser。`,
  },
  fires: {
    moved: (from, to) => `顺延：时钟跳过 ${from}，改在 ${to} 触发`,
    skipped: (lost, count) => `此前跳过：时钟跳过 ${lost}${count > 1 ? ` 等 ${count} 次` : ''}`,
    repeatedOnce: '重复：这个当地时间出现两次，只在第一次触发',
    repeatedBoth: '重复：这个当地时间出现两次，两次都触发',
    note: (note) => `注意：${sayCronNote(note, 'zh')}`,
  },
  weekdays: { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' },
  reasons: {
    'host-down': '主机当时没有运行',
    'not-open': '会话当时没有打开',
    suspended: '机器休眠或被阻塞，或其时钟被拨快',
    busy: '智能体正忙',
    persistence: '当时无法确认日志已保存',
    paused: '该系列在等人写消息',
  },
  problems: {
    torn_tail: (detail) => `末尾不完整（${detail}）：主机被强行结束，或者正在写入。主机会自行修复。`,
    newer_log: (file) => `更新的 DSH 在 ${file} 中继续这个会话；本文件是那之前的内容。`,
    damaged_data: (detail) => `从这里起的字节无法解压（${detail}）。请从备份恢复文件；已列出此前的内容。`,
    bad_line: (detail) => `这一行不是事件（${detail}）。主机不会读取它之后的内容；请从备份恢复文件。`,
    seq_gap: (detail) => `事件编号中断（${detail}）。主机不会读取它之后的内容；请从备份恢复文件。`,
    unreadable_event: (type) => `一个 ${type} 事件不是主机写入的形状，已略过。`,
    corrupt_schedule_log: (rule) => `提醒事件不符合格式：${rule}。此后不再作任何推断；请在新会话中重新设置提醒。`,
    unreadable_fact: (fact) => `一条附加信息（${fact}）无法读取，已略过；提醒本身仍在。`,
    unknown_type: (type) => `DSH 不认识类型为 ${type} 的事件，因此无法打开这个会话。它由别的插件写入。`,
    ignorable_type: (type) => `DSH 不认识类型为 ${type} 的事件：当前版本会跳过它，以后的 DSH 会拒绝接管这个会话。`,
    not_version_1: (rule) => `一个提醒事件不完全符合版本 1（${rule}）：以后的 DSH 会拒绝接管这个会话。`,
    foreign_source: (detail) => `一条消息的来源会被以后的 DSH 拒绝（${detail}）。`,
    foreign_member: (detail) => `成员（${detail}）不属于该格式：以后的 DSH 会拒绝接管这个会话。`,
  },
  doctor: doctorZh,
  duration: (ms) => formatDuration(ms).replace('d', '天').replace('h', '小时').replace('m', '分钟').replace('s', '秒'),
  words: {
    comma: '，',
    and: '、',
    seeHelp: (command) => `帮助：timekeeper ${command === undefined ? '' : `${command} `}--help`,
    session: '会话',
    folder: '文件夹',
    created: '创建于',
    fork: '分支',
    forkOf: (parent, from) => `来自 ${parent}；只统计它自己的部分，从事件 ${from} 开始`,
    zone: '时区',
    noZone: '不可用：还没有请求，或第一个请求没有给出时区',
    log: '日志',
    events: (count) => `${count} 个事件`,
    waiting: (count) => `等待中（${count}）`,
    series: '系列',
    queued: '已排队，但送达记录不在日志中',
    timeline: '时间线（先 UTC，后当地时间）',
    problems: '关于日志本身',
    noReminders: '这个会话从未设置过提醒。',
    states: { scheduled: '已计划', overdue: '已过期', paused: '已暂停', active: '进行中', ended: '已结束', cancelled: '已取消' },
    stateHints: { overdue: '打开会话时送达。', paused: '有人在会话中写消息后继续。' },
    kinds: { set: '设置', planned: '计划', delivered: '送达', missed: '错过', replaced: '替换', cancelled: '取消' },
    setBy: { model: '由模型设置', person: '由人设置' },
    noPlan: '日志中没有更多信息',
    unattended: '在无人发起的回合中',
    snoozeOf: (id) => `${id} 的稍后提醒`,
    replaces: (id) => `代替 ${id}`,
    lateLimit: (text) => `迟到超过 ${text} 即算错过`,
    wake: '会自行打开会话',
    every: (text) => `每 ${text}`,
    until: (text) => `到 ${text} 为止`,
    times: (count) => `共 ${count} 次`,
    delivered: (count) => `送达 ${count} 次`,
    missed: (count) => `错过 ${count} 次`,
    unanswered: (count) => `${count} 次未获回应`,
    next: '下次',
    due: (text) => `应在 ${text}`,
    queuedHint: '消息在收件箱里等待；打开会话时会补上送达记录，不会重复发送。',
    takenHint: '消息已进入对话；打开会话时会补上送达记录，不会重复发送。',
    late: (text, why) => `迟到 ${text}：${why}`,
    onTime: '准时',
    reasonUnknown: '没有记录原因',
    last: '最后一次',
    line: (line) => `第 ${line} 行`,
    event: (seq) => `事件 ${seq}`,
    unread: (lines) => `（其后 ${lines} 行未读取）`,
    repeated: (times) => `（共 ${times} 次）`,
    sessionsOf: (home, count) => `${home} 中有 ${count} 个会话`,
    noSessions: (home) => `${home} 中还没有保存的会话。`,
    inspectHint: '查看某个会话：timekeeper inspect <会话>',
    active: (count) => `${count} 个进行中`,
    overdue: (count) => `${count} 个已过期`,
    paused: (count) => `${count} 个已暂停`,
    problemCount: (count) => `${count} 个问题`,
  },
}
