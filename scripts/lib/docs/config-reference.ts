import { CONFIG_ROWS, type ConfigRow, type Language, type OptionSchema, type Words } from './config-rows.ts'
import { DO_NOT_EDIT, type GeneratedFile } from './generated.ts'

const TEXTS = {
  title: { en: 'Configuration', zh: '配置' },
  intro: {
    en: 'Nothing has to be configured. What a key does not say keeps its default, so a row names only what differs. Rows are changed by their id in your profile\'s own `cordis.patch.yml` (`~/.dsh/profiles/web/cordis.patch.yml`), or for one process in a file that is named with `dsh web --patch FILE`:',
    zh: '什么都不必配置。没有写的键保持默认值，所以一行只写不同之处。在你的 profile 自己的 `cordis.patch.yml`（`~/.dsh/profiles/web/cordis.patch.yml`）里按行的 id 修改；只想对一个进程生效，就写在 `dsh web --patch 文件` 指定的文件里：',
  },
  bad: {
    en: 'A value that is not valid stops the start of the host, which says which key it is and why. The last column shows such a value and these words.',
    zh: '值无效时宿主不启动，并说明是哪个键、为什么。最后一列是这样一个值和宿主的原话。',
  },
  head: { en: '| key | meaning | values | default | a bad value |', zh: '| 键 | 含义 | 取值 | 默认 | 无效值 |' },
  row: { en: 'Row', zh: '行' },
  plugin: { en: 'of the plugin', zh: '插件' },
  none: { en: 'none', zh: '无' },
  empty: { en: 'empty', zh: '空' },
  text: { en: 'a text', zh: '文本' },
  texts: { en: 'a list of texts', zh: '文本列表' },
  number: { en: 'a number', zh: '数' },
  whole: { en: 'a whole number', zh: '整数' },
  from: { en: 'from', zh: '最小' },
  to: { en: 'to', zh: '最大' },
} as const satisfies Readonly<Record<string, Words>>

const EXAMPLE = `- id: timekeeper-clock
  config:
    defaultMode: turn
    timeZone: Europe/Berlin
- id: timekeeper-schedule
  config:
    maxUnanswered: 3`

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const describe = ({ meta }: OptionSchema, key: string, language: Language): string => {
  const { description } = meta
  const text = typeof description === 'string' ? undefined : description?.[language === 'en' ? '' : language]
  if (text === undefined) throw new Error(`the schema of ${key} has no description in ${language}`)
  return text
}

const numbers = ({ meta: { min, max, step } }: OptionSchema, language: Language): string => {
  const kind = TEXTS[step === 1 ? 'whole' : 'number'][language]
  const bounds = [...(min === undefined ? [] : [`${TEXTS.from[language]} ${min}`]), ...(max === undefined ? [] : [`${TEXTS.to[language]} ${max}`])]
  return [kind, ...bounds].join(language === 'en' ? ' ' : '，')
}

const valuesOf = (schema: OptionSchema, language: Language): string => {
  if (schema.type === 'union') return (schema.list ?? []).map(({ value }) => code(value)).join(', ')
  if (schema.type === 'boolean') return '`true`, `false`'
  if (schema.type === 'number') return numbers(schema, language)
  if (schema.type === 'array' && schema.inner?.type === 'string') return TEXTS.texts[language]
  if (schema.type === 'string') return TEXTS.text[language]
  throw new Error(`no words for a value of the type ${schema.type}`)
}

const defaultOf = ({ meta }: OptionSchema, language: Language): string => {
  if (meta.default === undefined) return TEXTS.none[language]
  return meta.default === '' ? TEXTS.empty[language] : code(meta.default)
}

/** What the plugin itself says to the value. */
const refusalOf = ({ id, load, bad }: ConfigRow, key: string): string => {
  if (!Object.hasOwn(bad, key)) throw new Error(`no bad value is known for ${id}.${key}`)
  const value = bad[key]
  try {
    load({ [key]: value })
  } catch (error) {
    return `${code(value)}: ${(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''}`
  }
  throw new Error(`${id} takes ${key}: ${JSON.stringify(value)}, which was meant to be bad`)
}

const section = (row: ConfigRow, language: Language): string =>
  [
    `## ${row.title[language]}`,
    '',
    `${TEXTS.row[language]} \`${row.id}\`, ${TEXTS.plugin[language]} \`${row.plugin}\`. ${row.note[language]}`.trimEnd(),
    '',
    TEXTS.head[language],
    '|---|---|---|---|---|',
    ...Object.entries(row.options).map(([key, schema]) => {
      const cells = [code(key), describe(schema, `${row.id}.${key}`, language), valuesOf(schema, language), defaultOf(schema, language), refusalOf(row, key)]
      return `| ${cells.map(cell).join(' | ')} |`
    }),
  ].join('\n')

/**
 * @returns `docs/guide/{en,zh}/configuration.md`, from the schemas that the plugins check their config with
 * @throws when a key has no description in both languages, or no value that its plugin refuses
 */
export const configReference = (rows: readonly ConfigRow[] = CONFIG_ROWS): readonly GeneratedFile[] =>
  (['en', 'zh'] as const).map(language => ({
    file: `docs/guide/${language}/configuration.md`,
    text: `${[
      DO_NOT_EDIT,
      `# ${TEXTS.title[language]}`,
      TEXTS.intro[language],
      `\`\`\`yml\n${EXAMPLE}\n\`\`\``,
      TEXTS.bad[language],
      ...rows.map(row => section(row, language)),
    ].join('\n\n')}\n`,
  }))
