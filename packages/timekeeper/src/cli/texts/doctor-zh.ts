import type { doctorEn } from './doctor-en.ts'

const START_HOST = '请启动主机：它会在一分钟内把索引与日志核对一致。然后再运行 doctor。'
const SET_CLOCK = '请校准机器的时钟，并让时间服务保持运行。'
const REINSTALL = '请重新安装插件包：dsh plugin --profile <配置> add <压缩包>'
const ONE_ROW = '请在该配置的 cordis.patch.yml 中停用其中一个：写“- id: <行>”和“disabled: true”。'
const UPDATE_NODE = '请更新 Node；如果设置了 NODE_ICU_DATA，请取消。'
const UPDATE_BROWSER = '请更新浏览器，并重新启动它。'
const OLDER: Readonly<Record<string, string>> = { node: '本 Node 的数据较旧。', browser: '浏览器的数据较旧。' }

const KINDS: Readonly<Record<string, string>> = { reminder: '提醒', countdown: '倒计时' }
const kindOf = (kind: string): string => KINDS[kind] ?? kind

/** The same in Chinese. */
export const doctorZh: typeof doctorEn = {
  title: (home, profile) => `主目录 ${home}，配置 ${profile}`,
  machine: (timekeeper, node, tz, icu, zone) => `timekeeper ${timekeeper}，Node ${node}，时区数据 ${tz}（ICU ${icu}），本进程的时区 ${zone}`,
  host: (version) => `主机：DSH ${version}`,
  noHost: '此主目录中没有找到 DSH',
  row: (id, state) => `${id}（${state}）`,
  rows: '插件行',
  states: { on: '启用', off: '停用', conditional: '取决于表达式' },
  sessions: (count) => `读取了 ${count} 个日志`,
  index: (owed, leases, left) => `索引：${owed} 项待唤醒，${leases} 个租约，其中 ${left} 个属于已结束的主机`,
  noIndex: '索引：无',
  browser: (alike, all, name) => `浏览器：${alike === all ? '' : `${all} 个时区中有 `}${alike} 个时区的数据一致（${name}）`,
  open: (url, limit) => `请在 ${limit}内用要比较的浏览器打开此地址（Ctrl-C 停止）：${url}`,
  page: {
    comparing: '正在比较此浏览器与 Node 的时区数据…',
    close: '全部诊断结果在终端里。可以关闭此页面。',
    failed: 'timekeeper 没有回应：它已经结束，或已从另一个页面得到答复。请再次运行 timekeeper doctor --browser，并打开它输出的地址。',
    noScript: '此页面需要 JavaScript：只有脚本才能得知浏览器的时区数据。',
  },
  levels: { problem: '问题', note: '提示' },
  advice: (text) => `该怎么做：${text}`,
  session: (id) => `会话 ${id}`,
  total: (problems, notes) => `${problems} 个问题，${notes} 条提示。`,
  well: '没有发现问题。',
  progress: (done, all) => `正在读取日志：${done} / ${all}`,
  look: (session) => `仔细查看：timekeeper inspect ${session}`,
  findings: {
    node_unsupported: {
      found: (version) => `DSH 不支持 Node ${version}；需要 ^22.19.0 || >=24.0.0。`,
      advice: () => '请使用 Node 24。如果主机运行在另一个 Node 上，请用那个 Node 运行 doctor。',
    },
    tz_outdated: {
      found: (tz, zones) => `时区数据（${tz}）不知道以下时区的规定：${zones}。那里的当地时间会出错。`,
      advice: () => UPDATE_NODE,
    },
    zone_unknown: {
      found: (zone, tz) => `浏览器给出了时区 ${zone}，而本 Node 不认识它（时区数据 ${tz}）。其会话按没有时区处理。`,
      advice: () => '请更新 Node；如果这个名称不是 IANA 时区，请更正那台机器的时区。',
    },
    tz_browser_differs: {
      found: (zone, older, at, tz, own, name, theirs) => `${zone} 的当地时间不一致，最早在 ${at}：本 Node（时区数据 ${tz}）为 ${own}，浏览器（${name}）为 ${theirs}。${OLDER[older] ?? '无法判断哪一方的数据较旧。'}`,
      advice: (_zone, older) => (older === 'node' ? UPDATE_NODE : older === 'browser' ? UPDATE_BROWSER : '请更新 Node 和浏览器，然后再次运行 doctor --browser。'),
    },
    tz_browser_zone_unknown: { found: (zone, name) => `浏览器（${name}）不认识时区 ${zone}：它无法显示那里的当地时间。`, advice: () => UPDATE_BROWSER },
    process_zone: { found: (zone) => `TZ 设为 ${zone}，它不是 IANA 时区，因此进程不在预期的时区运行。`, advice: () => '请把 TZ 设为 Asia/Shanghai 之类的名称，或取消它。' },
    clock_implausible: { found: (now) => `机器的时钟显示 ${now}。`, advice: () => SET_CLOCK },
    clock_behind_log: { found: (now, newest) => `机器的时钟（${now}）落后于日志中最新的事件（${newest}）：时钟被拨慢过，或者当时过快。`, advice: () => SET_CLOCK },
    time_went_back: {
      found: (times, most) => `这个日志中的时间倒退了 ${times} 次，最多 ${most}：写入期间时钟被拨慢。`,
      advice: () => '请让机器的时间服务一直运行，使它以小步校准时钟。',
    },
    home_missing: { found: (home) => `${home} 不存在。`, advice: () => '请用 --home 指定主目录，或设置 DSH_HOME。' },
    profile_missing: { found: (folder) => `没有配置 ${folder}。`, advice: () => '请先运行一次“dsh web”，它会建立配置 web；或用 --profile 指定另一个。' },
    profile_unreadable: {
      found: (path, reason) => `${path}：${reason}。主机因此无法启动。`,
      advice: () => '请更正该文件；如果是未安装的插件包，请用 dsh plugin --profile <配置> add 安装，或从 dsh.profile.bundles 中去掉。',
    },
    host_missing: { found: (home) => `还没有 DSH 准备过 ${home}。`, advice: () => '请先运行一次“dsh web”。' },
    host_unsupported: { found: (version) => `不支持 DSH ${version}；支持 0.1.0-rc.8 起、0.3 之前的版本。`, advice: () => '请安装受支持的 DSH，或更新的 Timekeeper。' },
    host_unproven: { found: (version) => `DSH ${version} 比全部测试所用的 0.1.0-rc.8 更新。`, advice: () => '无须处理。如有异常，请说明是哪个版本。' },
    not_mounted: { found: (profile) => `配置 ${profile} 中没有挂载 Timekeeper 的任何部分。`, advice: (profile) => `dsh plugin --profile ${profile} add <dsh-timekeeper 压缩包>，然后重新启动主机。` },
    version_differs: { found: (installed, own) => `配置中的 dsh-timekeeper 是 ${installed}；本程序是 ${own}。`, advice: () => '请运行配置中的程序（其 node_modules/.bin/timekeeper），或安装相同的版本。' },
    row_missing: { found: (plugin) => `没有挂载 ${plugin} 这一行。`, advice: () => '请安装插件包，或按其 cordis.patch.yml 加入这一行。' },
    row_disabled: { found: (id, name) => `${id} 行（${name}）已停用，或由表达式决定。`, advice: () => '如果不是有意如此，请从相应的补丁中去掉 disabled。' },
    row_twice: { found: (name, ids) => `${name} 被挂载了不止一次：${ids}。`, advice: () => ONE_ROW },
    row_order: { found: (id, source) => `${source} 中针对 ${id} 的补丁找不到这一行，因此不起作用。`, advice: () => '请更正 id；补丁必须排在它所针对的行之后：配置自己的 cordis.patch.yml 排在所有插件包之后。' },
    row_unresolved: { found: (name) => `无法加载 ${name} 这一行：它的文件没有安装。主机无法启动。`, advice: () => REINSTALL },
    client_missing: { found: (name) => `${name} 的浏览器部分不在磁盘上：页面不会显示它的任何内容。`, advice: () => REINSTALL },
    double_clock: { found: (theirs, ours) => `挂载了两个时钟：DSH 的 ${theirs} 和 Timekeeper 的 ${ours}。模型会读到两次时间。`, advice: () => ONE_ROW },
    double_schedule: { found: (theirs, ours) => `挂载了两个日程：DSH 的 ${theirs} 和 Timekeeper 的 ${ours}。两者会送达相同的提醒。`, advice: () => ONE_ROW },
    index_missing: { found: (path) => `没有唤醒索引（${path}），而有待唤醒的内容。`, advice: () => START_HOST },
    index_unusable: {
      found: (path, reason) => `无法使用唤醒索引 ${path}：${reason}。`,
      advice: () => '请启动主机：它会把损坏（corrupt）的文件移到一边并重建。若为 newer：请更新 Timekeeper。若为 foreign、locked 或 inaccessible：请查看谁在使用该路径，以及它的权限。',
    },
    owed_not_indexed: { found: (kind, due) => `有一个${kindOf(kind)}应在 ${due} 唤醒，而唤醒索引中没有。`, advice: () => START_HOST },
    owed_other_instant: { found: (kind, due, indexed) => `有一个${kindOf(kind)}应在 ${due} 唤醒；唤醒索引中是 ${indexed}。`, advice: () => START_HOST },
    indexed_not_owed: { found: (kind, indexed) => `唤醒索引中有一个 ${indexed} 的${kindOf(kind)}，日志中并没有。`, advice: () => START_HOST },
    indexed_without_log: { found: (kind, indexed) => `唤醒索引中有一个 ${indexed} 的${kindOf(kind)}，而它的会话没有日志。`, advice: () => `如果日志被误删，请恢复它。否则：${START_HOST}` },
    overdue_closed: { found: (id, due, prompt) => `${id}“${prompt}”应在 ${due} 送达。它不会唤醒会话，要等会话被打开。`, advice: () => '请打开会话。下次可以要求 wake: true。' },
    overdue_no_host: { found: (id, due, prompt) => `${id}“${prompt}”应在 ${due} 送达。它会自行打开会话，但没有看到运行中的主机。`, advice: () => '请启动主机：届时送达，并说明迟了多久。' },
    overdue_not_woken: { found: (id, due, prompt) => `${id}“${prompt}”应在 ${due} 送达。有主机在运行，但还没有为它打开会话。`, advice: () => '请手动打开会话。并确认其插件行已启用、唤醒索引没有关闭。' },
    overdue_held: { found: (id, due, prompt) => `${id}“${prompt}”应在 ${due} 送达，其会话已在某个主机中打开：智能体正忙或卡住。`, advice: () => '请查看该会话，停止卡住的回合。如果没有，请重新启动主机。' },
    paused: { found: (id, unanswered, prompt) => `系列 ${id}“${prompt}”已暂停：最近 ${unanswered} 次送达以来无人写消息。`, advice: () => '请在会话中写消息，或取消该系列。' },
    missed: { found: (times, last) => `有 ${times} 次超过了迟到上限而算作错过，最近一次应在 ${last}。`, advice: () => '如果宁可迟到也不要错过，请不设或放宽 late_limit_seconds。' },
    undispatched: { found: (id, due, prompt) => `${id}“${prompt}”（应在 ${due}）已送达，但送达记录不在日志中，多见于崩溃之后。`, advice: () => '请打开会话：会补上记录，不会重复发送。' },
  },
}
