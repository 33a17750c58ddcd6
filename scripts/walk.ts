// npm run walk: does what the pages say, in a fresh clone with an empty home, and fails when something does not do what
// the text says. Words after -- choose pages by how their path begins; --working-tree takes what is not committed along; --json for machines.
import { leftovers } from '../e2e/lib/leftovers.ts'
import { uncommittedIn } from './lib/checkout.ts'
import { readPages, type Page } from './lib/docs/page.ts'
import { makePlace } from './lib/walk/place.ts'
import { Walk, isWalked, type Step } from './lib/walk/walk.ts'
import { ROOT } from './lib/workspace.ts'

/** What somebody may need at the most between `git clone` and a first delivered reminder. */
const FIRST_HOUR = { seconds: 180, commands: 3 }
/** The two that come before the first block of the first page: `git clone …` and `cd …`. */
const CLONE_COMMANDS = 2

interface First {
  readonly seconds: number
  /** Lines typed into a terminal up to the delivery, `git clone` and `cd` included. */
  readonly commands: number
  /** What was typed into the page up to it. */
  readonly messages: number
}

const words = process.argv.slice(2)
const asJson = words.includes('--json')
const withChanges = words.includes('--working-tree')
const patterns = words.filter(word => !word.startsWith('--'))

const print = (line: string): void => {
  if (!asJson) console.log(line)
}

const tell = ({ page, line, kind, text, ms, problem }: Step): void => {
  print(`${problem === undefined ? (kind === 'skip' ? '-' : '✓') : '✗'} ${page}:${line}  ${kind.padEnd(6)} ${text}${kind === 'skip' ? '' : `  (${(ms / 1000).toFixed(1)} s)`}`)
  if (problem !== undefined) print(problem.replaceAll(/^/gm, '    '))
}

/** The README first: it is where a newcomer begins. */
const chosen = (clone: string): readonly Page[] => {
  const all = readPages(clone).filter(isWalked).filter(({ file }) => patterns.length === 0 || patterns.some(pattern => file.startsWith(pattern)))
  return all.toSorted((left, right) => Number(right.file === 'README.md') - Number(left.file === 'README.md'))
}

const count = (steps: readonly Step[], ...kinds: readonly Step['kind'][]): number => steps.filter(({ kind }) => kinds.includes(kind)).length

/** @returns what is wrong with the way to the first reminder, for a walk that began at the README */
const judge = (first: First | undefined, isWhole: boolean): readonly string[] => {
  if (!isWhole) return []
  if (first === undefined) return ['no reminder was delivered']
  return [
    ...(first.seconds > FIRST_HOUR.seconds ? [`the first reminder came after ${first.seconds} s, at most ${FIRST_HOUR.seconds}`] : []),
    ...(first.commands > FIRST_HOUR.commands ? [`${first.commands} commands were typed for it, at most ${FIRST_HOUR.commands}`] : []),
  ]
}

const main = async (): Promise<number> => {
  const begin = performance.now()
  const since = (): number => Math.round((performance.now() - begin) / 1000)
  const changes = withChanges ? 0 : uncommittedIn(ROOT).length
  if (changes > 0) print(`${changes} files are not committed and so not walked; --working-tree takes them along.`)
  const steps: Step[] = []
  let first: First | undefined
  const place = makePlace(withChanges)
  try {
    const walk = new Walk({
      ...place,
      folder: place.clone,
      report: step => {
        steps.push(step)
        tell(step)
      },
      delivered: () => {
        // The message that is answered with it is not in the steps yet.
        first ??= { seconds: since(), commands: CLONE_COMMANDS + count(steps, 'sh', 'serve'), messages: count(steps, 'chat') + 1 }
      },
    })
    for (const page of chosen(place.clone)) await walk.page(page)
    await walk.close()
  } finally {
    for (const left of leftovers()) {
      process.kill(Number(left.split(' ')[0]), 'SIGKILL')
      steps.push({ page: 'all pages', line: 0, kind: 'sh', text: left, ms: 0, problem: 'this was still running at the end' })
    }
    place.remove()
  }
  const problems = [...steps.flatMap(({ page, line, problem }) => (problem === undefined ? [] : [`${page}:${line}`])), ...judge(first, patterns.length === 0)]
  const pages = new Set(steps.map(({ page }) => page)).size
  if (asJson) console.log(JSON.stringify({ ok: problems.length === 0, seconds: since(), first, problems, steps }, undefined, 2))
  if (first !== undefined) print(`\nFrom git clone to the first delivered reminder: ${first.seconds} s, ${first.commands} commands typed, ${first.messages} message${first.messages === 1 ? '' : 's'} written.`)
  print(`${pages} pages, ${count(steps, 'sh', 'serve')} commands, ${count(steps, 'chat')} messages, ${count(steps, 'output')} outputs, ${count(steps, 'skip')} skipped, in ${since()} s.`)
  print(problems.length === 0 ? 'Everything did what the pages say.' : `FAILED: ${problems.join(', ')}`)
  return problems.length === 0 && steps.length > 0 ? 0 : 1
}

process.exitCode = await main()
