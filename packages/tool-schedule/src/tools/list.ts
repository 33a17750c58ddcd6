import { isRefusal, refuse } from '../errors.ts'
import { parseOptionalTarget } from '../input.ts'
import { viewList } from '../overview.ts'
import type { ReminderId } from '../protocol.ts'
import { viewReminder } from '../view.ts'
import { only, shownArgument, transaction, type Answer, type ToolPort, type ToolSpec } from './definition.ts'
import { findActive } from './delete.ts'

/**
 * The tool that lists the active reminders, soonest first, or tells everything about one.
 *
 * @param name - under which it is mounted.
 */
export function listTool(name: string): ToolSpec {
  return {
    name,
    description: 'List the active reminders of this session, soonest first. With id: all about one of them.',
    parameters: { properties: { id: { type: 'string' } } },
    async run(args, port) {
      const target = parseOptionalTarget(args)
      if (isRefusal(target)) return target
      const { id } = target
      return transaction(port, 'list', (now) => only(id === undefined ? { ...viewList(port.ledger, now, port.policy) } : viewOne(port, id, now)))
    },
    title: (args) => titleOf(shownArgument(args, 'id')),
  }
}

function viewOne({ ledger, policy }: ToolPort, id: ReminderId, now: number): Answer {
  const reminder = findActive(ledger, id)
  return reminder === undefined ? { id, ...refuse('schedule_not_found') } : viewReminder(reminder, now, policy)
}

function titleOf(id: string): string {
  return id === '' ? 'Reminders' : `Reminder ${id}`
}
