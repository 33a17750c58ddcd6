import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { judge, type Findings } from '../findings.ts'
import { median } from '../stats.ts'
import type { SubjectName } from '../subjects.ts'

const MANY = 1000
const BOTH = 'reminders and clock'

interface Cell {
  readonly subject: SubjectName
  readonly plugins: string
  readonly none: number[]
  readonly many: number[]
}

const cell = (subject: SubjectName, plugins: string): Cell => ({ subject, plugins, none: [], many: [] })

/** A fresh process for each cell: nothing of the cell before lies in its heap. */
function heapOf(subject: SubjectName, count: number, plugins: string): number {
  const args = ['--expose-gc', join(import.meta.dirname, '../heap.ts'), subject, String(count), plugins]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim().split('\n').at(-1))
}

/**
 * Heap per live session and per pending reminder, beyond what the log itself takes (requirement P5). Both plugins are
 * mounted, on either side.
 *
 * @param isQuick - one process per cell.
 */
export async function memory(isQuick: boolean): Promise<Findings> {
  const whole = [cell('ours', BOTH), cell('theirs', BOTH), cell('floor', '')]
  const parts = isQuick ? [] : (['ours', 'theirs'] as const).flatMap((subject) => [cell(subject, 'reminders'), cell(subject, 'clock')])
  for (let number = 0; number < (isQuick ? 1 : 2); number += 1) {
    for (const { subject, plugins, none, many } of [...whole, ...parts]) {
      none.push(heapOf(subject, 0, plugins))
      if (plugins !== 'clock') many.push(heapOf(subject, MANY, plugins))
    }
  }
  const [ours, theirs, floor] = whole.map(({ none, many }) => ({ none: median(none), many: median(many) }))
  const fixed = (one: typeof ours): number => (one?.none ?? Number.NaN) - (floor?.none ?? Number.NaN)
  const each = (one: typeof ours): number => ((one?.many ?? Number.NaN) - (floor?.many ?? Number.NaN) - fixed(one)) / MANY
  const rows = [...whole, ...parts].map(({ subject, plugins, none, many }) => ({ subject, plugins, 'no reminder': median(none), [`${MANY} reminders`]: many.length > 0 ? median(many) : '–' }))
  return {
    goals: [
      judge('P5 heap of a live session beyond its log, both plugins (kB)', { atMost: 60 }, fixed(ours), fixed(theirs)),
      judge('P5 heap of a pending reminder beyond its log (kB)', { atMost: 0.4 }, each(ours), each(theirs)),
    ],
    tables: [{ title: 'Heap per live session, with its log (kB)', rows }],
  }
}
