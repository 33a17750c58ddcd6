import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { judge, type Findings } from '../findings.ts'
import type { SubjectName } from '../subjects.ts'

const MANY = 1000
const BOTH = 'reminders and clock'

interface Cell {
  readonly subject: SubjectName
  readonly plugins: string
  readonly none: number
  readonly many: number
}

/** A fresh process: nothing of the cell before lies in its heap. */
function heapOf(subject: SubjectName, count: number, plugins: string): number {
  const args = ['--expose-gc', join(import.meta.dirname, '../heap.ts'), subject, String(count), plugins]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim().split('\n').at(-1))
}

const cell = (subject: SubjectName, plugins: string): Cell => ({
  subject,
  plugins,
  none: heapOf(subject, 0, plugins),
  many: plugins === 'clock' ? Number.NaN : heapOf(subject, MANY, plugins),
})

/**
 * Heap per live session and per pending reminder, beyond what the log itself takes (requirement P5). Both plugins are
 * mounted, on either side. One process per cell: two differ by less than 1 kB.
 *
 * @param isQuick - both plugins together only.
 */
export async function memory(isQuick: boolean): Promise<Findings> {
  const [ours, theirs, floor] = [cell('ours', BOTH), cell('theirs', BOTH), cell('floor', '')]
  const parts = isQuick ? [] : (['ours', 'theirs'] as const).flatMap((subject) => [cell(subject, 'reminders'), cell(subject, 'clock')])
  const fixed = ({ none }: Cell): number => none - floor.none
  const each = (one: Cell): number => (one.many - floor.many - fixed(one)) / MANY
  const rows = [ours, theirs, floor, ...parts].map(({ subject, plugins, none, many }) => ({ subject, plugins, 'no reminder': none, [`${MANY} reminders`]: Number.isNaN(many) ? '–' : many }))
  return {
    goals: [
      judge('P5 heap of a live session beyond its log, both plugins (kB)', { atMost: 60 }, fixed(ours), fixed(theirs)),
      judge('P5 heap of a pending reminder beyond its log (kB)', { atMost: 0.4 }, each(ours), each(theirs)),
    ],
    tables: [{ title: 'Heap per live session, with its log (kB)', rows }],
  }
}
