import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine } from 'dsh-time-core'
import { json, run, temporary } from './harness.ts'

const NEXT = ['next', '0 9 * * *', '--zone', 'UTC']

describe('what cannot be understood', () => {
  it.each([
    [[], 'Give a command: next, inspect or doctor.', 'timekeeper --help'],
    [['cure'], 'There is no command "cure".', 'timekeeper --help'],
    [['doctor', 'home'], 'doctor takes no words, only options; "home" is given.', 'timekeeper doctor --help'],
    [['doctor', '--profile', '../x'], '--profile must be the name of a folder in profiles/, not "../x".', 'timekeeper doctor --help'],
    [['doctor', '--profile', '..'], 'not ".."', 'timekeeper doctor --help'],
    [['next', '--browser'], '--browser has no meaning with next.', 'timekeeper next --help'],
    [['inspect', '--browser'], '--browser has no meaning with inspect.', 'timekeeper inspect --help'],
    [['doctor', '--browser=chrome'], '--browser takes no value.', 'timekeeper doctor --help'],
    [['doctor', '--browser', 'chrome'], 'doctor takes no words, only options; "chrome" is given.', 'timekeeper doctor --help'],
    [['doctor', '--browser', '--browser'], '--browser is given twice.', 'timekeeper doctor --help'],
    [['inspect', '--profile', 'web'], '--profile has no meaning with inspect.', 'timekeeper inspect --help'],
    [['next'], 'Give a cron expression in quotes', 'timekeeper next --help'],
    [['next', '0 9 * * *'], 'Give the zone', 'timekeeper next --help'],
    [['next', '0', '9', '*', '*', '*', '--zone', 'UTC'], '5 words are given', 'timekeeper next --help'],
    [[...NEXT, '--after', 'tomorrow'], '--after must look like', 'timekeeper next --help'],
    [[...NEXT, '--after', '2026-03-08'], 'not "2026-03-08"', 'timekeeper next --help'],
    [[...NEXT, '--count', '0'], 'from 1 to 100, not "0"', 'timekeeper next --help'],
    [[...NEXT, '--count', '101'], 'not "101"', 'timekeeper next --help'],
    [[...NEXT, '--count=1e1'], 'not "1e1"', 'timekeeper next --help'],
    [[...NEXT, '--count', '-1'], '--count needs a value', 'timekeeper next --help'],
    [[...NEXT, '--home', '/x'], '--home has no meaning with next', 'timekeeper next --help'],
    [[...NEXT, '--bogus'], '--bogus is not a known option', 'timekeeper next --help'],
    [[...NEXT, '-x'], '-x is not a known option', 'timekeeper next --help'],
    [[...NEXT, '--zone', 'UTC'], '--zone is given twice', 'timekeeper next --help'],
    [[...NEXT, '--lang', 'fr'], '--lang is zh or en, not "fr"', 'timekeeper next --help'],
    [['next', '0 9 * * *', '--zone'], '--zone needs a value', 'timekeeper next --help'],
    [['next', '0 9 * * *', '--zone='], '--zone needs a value', 'timekeeper next --help'],
    [['next', '0 9 * * *', '--zone', '--count', '3'], '--zone needs a value', 'timekeeper next --help'],
    [['inspect', 'a', 'b'], 'Give one log file or session, not 2.', 'timekeeper inspect --help'],
    [['inspect', '--zone', 'UTC'], '--zone has no meaning with inspect', 'timekeeper inspect --help'],
    [['inspect', '--help=yes'], '--help takes no value', 'timekeeper inspect --help'],
  ])('T14 %j says what is wrong, and ends with 2', async (argv, detail, help) => {
    const { code, out, err } = await run(argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(detail)
    expect(err).toContain(`Help: ${help}`)
  })

  it('T14 with --json it is one JSON document like every answer', async () => {
    expect(await json(['next'])).toEqual({ code: 'usage', message: 'The command line cannot be understood.', detail: expect.stringContaining('cron') as unknown, exit: 2 })
  })

  it.each([
    [[], '请给出命令'],
    [['cure'], '没有命令“cure”'],
    [['doctor', 'x'], 'doctor 只接受选项，不接受“x”'],
    [['doctor', '--profile', '.'], '--profile 必须是'],
    [['next'], '请在引号里给出 cron 表达式'],
    [['next', '0 9 * * *'], '请给出规则所指的时区'],
    [['next', 'a', 'b'], '这里有 2 个词'],
    [[...NEXT, '--after', 'x'], '--after 应形如'],
    [[...NEXT, '--count', 'x'], '1 到 100 的整数'],
    [[...NEXT, '--home', '/x'], '--home 不能用于 next'],
    [[...NEXT, '--bogus'], '没有选项 --bogus'],
    [[...NEXT, '--zone', 'UTC'], '--zone 给了两次'],
    [['next', '--zone'], '--zone 后面缺少值'],
    [['inspect', 'a', 'b'], '这里有 2 个'],
    [['--help=yes'], '--help 不带值'],
  ])('T14 %j is said in Chinese', async (argv, detail) => {
    expect((await run(argv, { env: { LANG: 'zh_CN.UTF-8' } })).err).toContain(detail)
  })

  it('T14 a language that is not ours is said in that of the terminal', async () => {
    expect((await run([...NEXT, '--lang', 'fr'], { env: { LC_ALL: 'zh_TW' } })).err).toContain('--lang 只能是 zh 或 en，不能是“fr”')
  })
})

describe('the language', () => {
  it.each([
    [{}, 'en'],
    [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'ZH' }, 'zh'],
    [{ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'zh_CN' }, 'zh'],
    [{ LANG: 'zh_CN.UTF-8', LC_ALL: '' }, 'zh'],
    [{ LANG: 'de_DE' }, 'en'],
  ])('T14 with %j is %s', async (env, language) => {
    expect((await run(['--help'], { env })).out).toContain(language === 'zh' ? '不需要运行主机' : 'No host has to run')
  })

  it('T14 --lang wins over the terminal, wherever it stands', async () => {
    expect((await run(['--lang', 'en', '--help'], { env: { LANG: 'zh_CN' } })).out).toContain('No host has to run')
    expect((await run(['--help', '--lang=zh'], { env: { LANG: 'en' } })).out).toContain('不需要运行主机')
  })
})

describe('--help', () => {
  it.each([
    [['--help'], 'timekeeper <command> --help'],
    [['-h'], 'timekeeper <command> --help'],
    [['next', '--help'], '--count N'],
    [['next', '0 9 * * *', '-h'], '--count N'],
    [['inspect', '-h'], '--home DIR'],
    [['doctor', '--browser', '-h'], '  --browser '],
  ])('T14 %j is printed, and ends with 0', async (argv, text) => {
    const { code, out, err } = await run(argv)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(text)
  })

  it('T14 it is a JSON document too', async () => {
    expect(await json(['next', '--help'])).toEqual({ help: expect.stringContaining('--zone ZONE') as unknown, exit: 0 })
  })
})

describe('any command line', () => {
  const word = fc.oneof(
    fc.constantFrom('next', 'inspect', '--json', '--lang', '--lang=zh', '--zone', '--after', '--count', '--home', '--help', '-h', '--', '-', '30 2 * * *', 'Asia/Shanghai', '2026-03-08T06:30:00Z', '99'),
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `--${text}`),
  )

  it('X3 T14 is answered or refused: nothing is thrown, and --json is always one document', async () => {
    const home = temporary()
    const world = { cwd: home, userHome: home, env: { DSH_HOME: home } }
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 7 }), async (argv) => {
        const { code, out, err } = await run(argv, world)
        expect([0, 1, 2]).toContain(code)
        expect(out + err).not.toMatch(/^\s+at .*:\d+/m)
        const isJson = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json')
        if (isJson && err === '') expect(jsonLine(JSON.parse(out))).toBe(out)
      }),
      { numRuns: 2000 },
    )
  })

  it('X3 X4 a cron expression and a zone of any text are answered or refused by code, without a hang', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.array(fc.constantFrom('*', '*/7', '1-5', '31', 'L', '2', '0', ','), { minLength: 5, maxLength: 6 }).map((parts) => parts.join(' '))), fc.oneof(fc.constantFrom('UTC', 'America/New_York'), fc.string()), async (cron, zone) => {
        const start = performance.now()
        const answer = await json(['next', `--zone=${zone}`, '--', cron])
        expect(performance.now() - start).toBeLessThan(1000)
        expect(answer['fires'] ?? answer['code']).toBeTruthy()
      }),
      { numRuns: 500 },
    )
  })
})
