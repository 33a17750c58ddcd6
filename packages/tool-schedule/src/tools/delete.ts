import { isRefusal, refuse } from '../errors.ts'
import { parseTarget } from '../input.ts'
import type { Ledger, Reminder } from '../ledger.ts'
import { deleteChange, type ReminderId } from '../protocol.ts'
import { only, shownArgument, transaction, type ToolSpec } from './definition.ts'

/**
 * The tool that takes a reminder, or a whole series, back.
 *
 * @param name - under which it is mounted.
 */
export function deleteTool(name: string): ToolSpec {
  return {
    name,
    description: 'Cancel one reminder, or a whole series, by its id.',
    parameters: { properties: { id: { type: 'string' } }, required: ['id'] },
    async run(args, port) {
      const target = parseTarget(args, false)
      if (isRefusal(target)) return target
      return transaction(port, 'delete', () => {
        const reminder = findActive(port.ledger, target.id)
        if (reminder === undefined) return only({ id: target.id, deleted: false, ...refuse('schedule_not_found') })
        return { answer: { id: target.id, deleted: true }, changes: [deleteChange(reminder.record.id)] }
      })
    },
    title: (args) => `Cancel reminder ${shownArgument(args, 'id')}`,
  }
}

/**
 * The active reminder of an id; a series is found by its own id and by that of its active occurrence.
 *
 * @param ledger - the session's fold.
 * @param id - as a person or the model gave it.
 */
export function findActive(ledger: Ledger, id: ReminderId): Reminder | undefined {
  const occurrence = ledger.series.get(id)?.activeId
  return ledger.active.get(occurrence ?? id)
}
